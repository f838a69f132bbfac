// Sends each row that go-github supports with the client's methods.
// Reads one JSON request per line, and writes one JSON response per line.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/go-github/github"
	"golang.org/x/oauth2"
)

// Parameters of all rows, with the names that the rows use.
type Parameters struct {
	Owner      string                 `json:"owner"`
	Repo       string                 `json:"repo"`
	Org        string                 `json:"org"`
	Username   string                 `json:"username"`
	State      string                 `json:"state"`
	Direction  string                 `json:"direction"`
	PerPage    int                    `json:"per_page"`
	ReleaseID  int64                  `json:"release_id"`
	CommentID  int64                  `json:"comment_id"`
	HookID     int64                  `json:"hook_id"`
	PullNumber int                    `json:"pull_number"`
	TagName    string                 `json:"tag_name"`
	Tag        string                 `json:"tag"`
	Name       string                 `json:"name"`
	Body       string                 `json:"body"`
	Draft      bool                   `json:"draft"`
	CommitSHA  string                 `json:"commit_sha"`
	Path       string                 `json:"path"`
	Position   int                    `json:"position"`
	Ref        string                 `json:"ref"`
	SHA        string                 `json:"sha"`
	Force      bool                   `json:"force"`
	Message    string                 `json:"message"`
	Content    string                 `json:"content"`
	Committer  *github.CommitAuthor   `json:"committer"`
	Title      string                 `json:"title"`
	Head       string                 `json:"head"`
	Base       string                 `json:"base"`
	Config     map[string]interface{} `json:"config"`
	Events     []string               `json:"events"`
	Active     *bool                  `json:"active"`
	Event      string                 `json:"event"`
	Callback   string                 `json:"callback"`
	Secret     string                 `json:"secret"`
	Type       string                 `json:"type"`
	Code       string                 `json:"code"`
	Headers    map[string]interface{} `json:"headers"`
}

type call func(c *github.Client, p Parameters) (interface{}, error)

var ctx = context.Background()

func page(p Parameters) *github.ListOptions { return &github.ListOptions{PerPage: p.PerPage} }

func file(p Parameters) *github.RepositoryContentFileOptions {
	content, _ := base64.StdEncoding.DecodeString(p.Content)
	options := &github.RepositoryContentFileOptions{Message: &p.Message, Content: content, Committer: p.Committer}
	if p.SHA != "" {
		options.SHA = &p.SHA
	}
	return options
}

func repositories(starred []*github.StarredRepository) []*github.Repository {
	var all []*github.Repository
	for _, each := range starred {
		all = append(all, each.Repository)
	}
	return all
}

var rows = map[string]call{
	"POST /login/oauth/access_token": func(c *github.Client, p Parameters) (interface{}, error) {
		base := os.Getenv("BASE")
		config := oauth2.Config{
			ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"),
			Endpoint: oauth2.Endpoint{TokenURL: base + "login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams},
		}
		return config.Exchange(ctx, p.Code)
	},
	"GET /orgs/:org/teams": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Teams.ListTeams(ctx, p.Org, page(p))
		return v, err
	},
	"GET /user/teams": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Teams.ListUserTeams(ctx, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/releases": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListReleases(ctx, p.Owner, p.Repo, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/releases/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetRelease(ctx, p.Owner, p.Repo, p.ReleaseID)
		return v, err
	},
	"POST /repos/:owner/:repo/releases": func(c *github.Client, p Parameters) (interface{}, error) {
		release := &github.RepositoryRelease{TagName: &p.TagName, Name: &p.Name, Body: &p.Body, Draft: &p.Draft}
		v, _, err := c.Repositories.CreateRelease(ctx, p.Owner, p.Repo, release)
		return v, err
	},
	"PATCH /repos/:owner/:repo/releases/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.EditRelease(ctx, p.Owner, p.Repo, p.ReleaseID, &github.RepositoryRelease{Draft: &p.Draft})
		return v, err
	},
	"DELETE /repos/:owner/:repo/releases/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.DeleteRelease(ctx, p.Owner, p.Repo, p.ReleaseID)
		return nil, err
	},
	"GET /repos/:owner/:repo/releases/latest": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetLatestRelease(ctx, p.Owner, p.Repo)
		return v, err
	},
	"GET /repos/:owner/:repo/releases/tags/:tag": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetReleaseByTag(ctx, p.Owner, p.Repo, p.Tag)
		return v, err
	},
	"GET /repos/:owner/:repo/releases/:id/assets": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListReleaseAssets(ctx, p.Owner, p.Repo, p.ReleaseID, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/comments": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListComments(ctx, p.Owner, p.Repo, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/commits/:ref/comments": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListCommitComments(ctx, p.Owner, p.Repo, p.CommitSHA, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/comments/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetComment(ctx, p.Owner, p.Repo, p.CommentID)
		return v, err
	},
	"PATCH /repos/:owner/:repo/comments/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.UpdateComment(ctx, p.Owner, p.Repo, p.CommentID, &github.RepositoryComment{Body: &p.Body})
		return v, err
	},
	"DELETE /repos/:owner/:repo/comments/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.DeleteComment(ctx, p.Owner, p.Repo, p.CommentID)
		return nil, err
	},
	"GET /repos/:owner/:repo/git/ref/:ref": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Git.GetRef(ctx, p.Owner, p.Repo, p.Ref)
		return v, err
	},
	"GET /repos/:owner/:repo/git/matching-refs/:ref": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Git.ListMatchingRefs(ctx, p.Owner, p.Repo, &github.ReferenceListOptions{Ref: p.Ref})
		return v, err
	},
	"POST /repos/:owner/:repo/git/refs": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Git.CreateRef(ctx, p.Owner, p.Repo, &github.Reference{Ref: &p.Ref, Object: &github.GitObject{SHA: &p.SHA}})
		return v, err
	},
	"PATCH /repos/:owner/:repo/git/refs/:ref": func(c *github.Client, p Parameters) (interface{}, error) {
		ref := "refs/" + p.Ref
		v, _, err := c.Git.UpdateRef(ctx, p.Owner, p.Repo, &github.Reference{Ref: &ref, Object: &github.GitObject{SHA: &p.SHA}}, p.Force)
		return v, err
	},
	"DELETE /repos/:owner/:repo/git/refs/:ref": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Git.DeleteRef(ctx, p.Owner, p.Repo, p.Ref)
		return nil, err
	},
	"GET /repos/:owner/:repo/readme": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetReadme(ctx, p.Owner, p.Repo, nil)
		return v, err
	},
	"GET /repos/:owner/:repo/contents/:path": func(c *github.Client, p Parameters) (interface{}, error) {
		one, many, _, err := c.Repositories.GetContents(ctx, p.Owner, p.Repo, p.Path, nil)
		if one != nil {
			return one, err
		}
		return many, err
	},
	"PUT /repos/:owner/:repo/contents/:path": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.CreateFile(ctx, p.Owner, p.Repo, p.Path, file(p))
		return v, err
	},
	"PUT /repos/:owner/:repo/contents/:path (update)": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.UpdateFile(ctx, p.Owner, p.Repo, p.Path, file(p))
		return v, err
	},
	"DELETE /repos/:owner/:repo/contents/:path": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.DeleteFile(ctx, p.Owner, p.Repo, p.Path, file(p))
		return v, err
	},
	"GET /repos/:owner/:repo/pages": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetPagesInfo(ctx, p.Owner, p.Repo)
		return v, err
	},
	"GET /repos/:owner/:repo/pages/builds": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListPagesBuilds(ctx, p.Owner, p.Repo, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/pages/builds/latest": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetLatestPagesBuild(ctx, p.Owner, p.Repo)
		return v, err
	},
	"GET /repos/:owner/:repo/pulls": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.List(ctx, p.Owner, p.Repo, &github.PullRequestListOptions{State: p.State, ListOptions: *page(p)})
		return v, err
	},
	"GET /repos/:owner/:repo/pulls/:number": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.Get(ctx, p.Owner, p.Repo, p.PullNumber)
		return v, err
	},
	"POST /repos/:owner/:repo/pulls": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.Create(ctx, p.Owner, p.Repo, &github.NewPullRequest{Title: &p.Title, Head: &p.Head, Base: &p.Base})
		return v, err
	},
	"PATCH /repos/:owner/:repo/pulls/:number": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.Edit(ctx, p.Owner, p.Repo, p.PullNumber, &github.PullRequest{Title: &p.Title})
		return v, err
	},
	"GET /repos/:owner/:repo/pulls/:number/commits": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.ListCommits(ctx, p.Owner, p.Repo, p.PullNumber, nil)
		return v, err
	},
	"GET /repos/:owner/:repo/pulls/:number/files": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.ListFiles(ctx, p.Owner, p.Repo, p.PullNumber, nil)
		return v, err
	},
	"GET /repos/:owner/:repo/pulls/:number/merge": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.IsMerged(ctx, p.Owner, p.Repo, p.PullNumber)
		return v, err
	},
	"PUT /repos/:owner/:repo/pulls/:number/merge": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.PullRequests.Merge(ctx, p.Owner, p.Repo, p.PullNumber, "", nil)
		return v, err
	},
	"GET /repos/:owner/:repo/hooks": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.ListHooks(ctx, p.Owner, p.Repo, page(p))
		return v, err
	},
	"GET /repos/:owner/:repo/hooks/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.GetHook(ctx, p.Owner, p.Repo, p.HookID)
		return v, err
	},
	"POST /repos/:owner/:repo/hooks": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Repositories.CreateHook(ctx, p.Owner, p.Repo, &github.Hook{Config: p.Config, Events: p.Events, Active: p.Active})
		return v, err
	},
	"POST /repos/:owner/:repo/hooks/:id/tests": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.TestHook(ctx, p.Owner, p.Repo, p.HookID)
		return nil, err
	},
	"POST /repos/:owner/:repo/hooks/:id/pings": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.PingHook(ctx, p.Owner, p.Repo, p.HookID)
		return nil, err
	},
	"DELETE /repos/:owner/:repo/hooks/:id": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.DeleteHook(ctx, p.Owner, p.Repo, p.HookID)
		return nil, err
	},
	"POST /hub": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Repositories.Subscribe(ctx, p.Owner, p.Repo, p.Event, p.Callback, []byte(p.Secret))
		return nil, err
	},
	"GET /repos/:owner/:repo/stargazers": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Activity.ListStargazers(ctx, p.Owner, p.Repo, page(p))
		var users []*github.User
		for _, each := range v {
			users = append(users, each.User)
		}
		return users, err
	},
	"GET /users/:username/starred": func(c *github.Client, p Parameters) (interface{}, error) {
		options := &github.ActivityListStarredOptions{Direction: p.Direction, ListOptions: *page(p)}
		v, _, err := c.Activity.ListStarred(ctx, p.Username, options)
		return repositories(v), err
	},
	"GET /user/starred": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Activity.ListStarred(ctx, "", &github.ActivityListStarredOptions{ListOptions: *page(p)})
		return repositories(v), err
	},
	"GET /user/starred/:owner/:repo": func(c *github.Client, p Parameters) (interface{}, error) {
		v, _, err := c.Activity.IsStarred(ctx, p.Owner, p.Repo)
		return v, err
	},
	"PUT /user/starred/:owner/:repo": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Activity.Star(ctx, p.Owner, p.Repo)
		return nil, err
	},
	"DELETE /user/starred/:owner/:repo": func(c *github.Client, p Parameters) (interface{}, error) {
		_, err := c.Activity.Unstar(ctx, p.Owner, p.Repo)
		return nil, err
	},
}

func client(as string) *github.Client {
	base := os.Getenv("BASE")
	transport := &github.BasicAuthTransport{Username: os.Getenv("LOGIN"), Password: os.Getenv("PASSWORD")}
	http := transport.Client()
	if as != "user" {
		http = oauth2.NewClient(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Getenv("TOKEN")}))
	}
	c, err := github.NewEnterpriseClient(base, base, http)
	if err != nil {
		panic(err)
	}
	return c
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		var asked struct {
			Row        string
			As         string
			Parameters json.RawMessage
		}
		var p Parameters
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		call := rows[asked.Row]
		// Some appliance settings share a name with another parameter, but have a different type.
		if call == nil || json.Unmarshal(asked.Parameters, &p) != nil || p.Headers != nil {
			fmt.Println(`{"unknown":true}`)
			continue
		}
		answer := map[string]interface{}{}
		data, err := call(client(asked.As), p)
		if err != nil {
			answer["error"] = err.Error()
		} else {
			answer["data"] = data
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}
