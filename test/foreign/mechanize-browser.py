# Approves an application on the authorization page with mechanize, a browser without a display.
import json
import os
import sys
from urllib.parse import urlencode

import mechanize


def authorize(p):
    browser = mechanize.Browser()
    browser.set_handle_robots(False)
    browser.set_handle_redirect(False)
    browser.open(os.environ["BASE"] + "login/oauth/authorize?" + urlencode(p))
    browser.select_form(predicate=lambda form: any(c.value == "approve" for c in form.controls))
    try:
        browser.submit()
    except mechanize.HTTPError as answer:
        return {"location": answer.hdrs["location"]}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["row"] != "GET /login/oauth/authorize":
        answer = {"unknown": True}
    else:
        try:
            answer = {"data": authorize(asked["parameters"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(answer), flush=True)
