;; Sends requests with ghub for Emacs, which compares header names case-sensitively. Reads and prints lines of JSON.  -*- lexical-binding: t -*-

(require 'package)
(package-initialize)
(require 'ghub)
(require 'json)

(defvar host (concat (string-remove-prefix "http://" (getenv "BASE")) "api/v3"))
(setq ghub-insecure-hosts (list host))

;; By default both `false' and `null' are nil.
(defun read-page (_status)
  (json-parse-string (ghub--decode-payload) :object-type 'alist :array-type 'list
                     :false-object :json-false :null-object nil))

(defun answer (asked)
  (let* ((parameters (gethash "parameters" asked))
         (get (lambda (name) (gethash name parameters))))
    (if (not (equal (gethash "row" asked) "GET /repos/:owner/:repo/pulls (all pages)"))
        '(:unknown t)
      (condition-case error
          (list :data
                (ghub-get (format "/repos/%s/%s/pulls" (funcall get "owner") (funcall get "repo"))
                          `((state . ,(funcall get "state")))
                          :unpaginate t :silent t :reader #'read-page
                          :host host :auth (getenv "TOKEN") :username (getenv "LOGIN")))
        (error (list :error (format "%S" error)))))))

(let (line)
  (while (setq line (ignore-errors (read-from-minibuffer "")))
    (princ (concat (json-encode (answer (json-parse-string line))) "\n"))))
