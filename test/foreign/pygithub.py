# Sends each row that PyGithub supports with the client's own methods.
# Reads one JSON request per line, and writes one JSON response per line.
import datetime
import json
import os
import sys

import github
from github.GithubObject import GithubObject
from github.PaginatedList import PaginatedList

base = os.environ["BASE"] + "api/v3"


def client(who, **more):
    if who == "user":
        return github.Github(os.environ["LOGIN"], os.environ["PASSWORD"], base_url=base, retry=0, **more)
    return github.Github(os.environ["TOKEN"], base_url=base, retry=0, **more)


def plain(value, depth=0):
    """Returns the parsed properties of the fields in the response."""
    if isinstance(value, GithubObject):
        raw = value._rawData
        named = {name for name in raw if isinstance(getattr(type(value), name, None), property)}
        return {name: plain(getattr(value, name), depth + 1) for name in named}
    if isinstance(value, (list, PaginatedList)):
        return [plain(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {name: plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def repo(c, p):
    return c.get_repo(p["owner"] + "/" + p["repo"])


def page(c, listed, p):
    return listed.get_page(0) if p.get("per_page") else list(listed)


def rest(p, *names):
    return {name: value for name, value in p.items() if name not in ("owner", "repo") + names}


def team(c, p):
    return c.get_organization("acme").get_team(p["team_id"])


def ref(name):
    return name


def pull(c, p):
    return repo(c, p).get_pull(p["pull_number"])


def hook(c, p):
    return repo(c, p).get_hook(p["hook_id"])


def comment(c, p):
    return repo(c, p).get_comment(p["comment_id"])


def release(c, p):
    return repo(c, p).get_release(p["release_id"])


def authorization(c, p):
    return c.get_user().get_authorization(p["authorization_id"])


def edited(thing, *args, **named):
    thing.edit(*args, **named)
    return thing


def content(c, p):
    return repo(c, p).get_contents(p["path"])


ROWS = {
    "GET /authorizations": lambda c, p: list(c.get_user().get_authorizations()),
    "GET /authorizations/:id": lambda c, p: authorization(c, p),
    "POST /authorizations": lambda c, p: c.get_user().create_authorization(**p),
    "PATCH /authorizations/:id": lambda c, p: edited(authorization(c, p), add_scopes=p["add_scopes"], note=p["note"]),
    "DELETE /authorizations/:id": lambda c, p: authorization(c, p).delete(),
    "POST /login/oauth/access_token": None,
    "GET /orgs/:org/teams": lambda c, p: page(c, c.get_organization(p["org"]).get_teams(), p),
    "GET /teams/:id": lambda c, p: team(c, p),
    "POST /orgs/:org/teams": lambda c, p: c.get_organization(p["org"]).create_team(
        p["name"], [c.get_repo(name) for name in p["repo_names"]], permission=p["permission"]
    ),
    "PATCH /teams/:id": lambda c, p: edited(team(c, p), p["name"], permission=p["permission"]),
    "DELETE /teams/:id": lambda c, p: team(c, p).delete(),
    "GET /teams/:id/members": lambda c, p: page(c, team(c, p).get_members(), p),
    "GET /teams/:id/members/:username": lambda c, p: team(c, p).has_in_members(c.get_user(p["username"])),
    "PUT /teams/:id/members/:username": lambda c, p: team(c, p).add_to_members(c.get_user(p["username"])),
    "DELETE /teams/:id/members/:username": lambda c, p: team(c, p).remove_from_members(c.get_user(p["username"])),
    "GET /teams/:id/repos": lambda c, p: list(team(c, p).get_repos()),
    "GET /teams/:id/repos/:owner/:repo": lambda c, p: team(c, p).has_in_repos(repo(c, p)),
    "PUT /teams/:id/repos/:org/:repo": lambda c, p: team(c, p).add_to_repos(repo(c, p)),
    "DELETE /teams/:id/repos/:owner/:repo": lambda c, p: team(c, p).remove_from_repos(repo(c, p)),
    "GET /user/teams": lambda c, p: list(c.get_user().get_teams()),
    "GET /repos/:owner/:repo/releases": lambda c, p: page(c, repo(c, p).get_releases(), p),
    "GET /repos/:owner/:repo/releases/:id": lambda c, p: release(c, p),
    "POST /repos/:owner/:repo/releases": lambda c, p: repo(c, p).create_git_release(
        p["tag_name"], p["name"], p["body"], draft=p["draft"]
    ),
    "PATCH /repos/:owner/:repo/releases/:id": lambda c, p: release(c, p).update_release(
        name="Published", message="Notes", draft=p["draft"]
    ),
    "DELETE /repos/:owner/:repo/releases/:id": lambda c, p: release(c, p).delete_release(),
    "GET /repos/:owner/:repo/releases/latest": lambda c, p: repo(c, p).get_latest_release(),
    "GET /repos/:owner/:repo/comments": lambda c, p: page(c, repo(c, p).get_comments(), p),
    "GET /repos/:owner/:repo/commits/:ref/comments": lambda c, p: page(c, repo(c, p).get_commit(p["commit_sha"]).get_comments(), p),
    "POST /repos/:owner/:repo/commits/:sha/comments": lambda c, p: repo(c, p)
    .get_commit(p["commit_sha"])
    .create_comment(p["body"], line=p["line"], path=p["path"], position=p["position"]),
    "GET /repos/:owner/:repo/comments/:id": lambda c, p: comment(c, p),
    "PATCH /repos/:owner/:repo/comments/:id": lambda c, p: edited(comment(c, p), p["body"]),
    "DELETE /repos/:owner/:repo/comments/:id": lambda c, p: comment(c, p).delete(),
    "GET /repos/:owner/:repo/git/refs/:ref": lambda c, p: repo(c, p).get_git_ref(p["namespace"]),
    "GET /repos/:owner/:repo/git/refs": lambda c, p: page(
        c,
        repo(c, p).get_git_matching_refs(p["namespace"] + "/") if p.get("namespace") else repo(c, p).get_git_refs(),
        p,
    ),
    "GET /repos/:owner/:repo/git/matching-refs/:ref": lambda c, p: list(repo(c, p).get_git_matching_refs(p["ref"])),
    "POST /repos/:owner/:repo/git/refs": lambda c, p: repo(c, p).create_git_ref(p["ref"], p["sha"]),
    "PATCH /repos/:owner/:repo/git/refs/:ref": lambda c, p: edited(repo(c, p).get_git_ref(p["ref"]), p["sha"], force=p["force"]),
    "DELETE /repos/:owner/:repo/git/refs/:ref": lambda c, p: repo(c, p).get_git_ref(p["ref"]).delete(),
    "GET /repos/:owner/:repo/readme": lambda c, p: repo(c, p).get_readme(),
    "GET /repos/:owner/:repo/contents/:path": lambda c, p: content(c, p),
    "PUT /repos/:owner/:repo/contents/:path": lambda c, p: repo(c, p).create_file(p["path"], p["message"], "hi"),
    "PUT /repos/:owner/:repo/contents/:path (update)": lambda c, p: repo(c, p).update_file(
        p["path"], p["message"], "hi", p["sha"],
        committer=github.InputGitAuthor(p["committer"]["name"], p["committer"]["email"]),
    ),
    "DELETE /repos/:owner/:repo/contents/:path": lambda c, p: {
        "commit": repo(c, p).delete_file(p["path"], p["message"], p["sha"])["commit"]
    },
    "GET /repos/:owner/:repo/pulls": lambda c, p: page(c, repo(c, p).get_pulls(state=p["state"]), p),
    "GET /repos/:owner/:repo/pulls/:number": lambda c, p: pull(c, p),
    "POST /repos/:owner/:repo/pulls": lambda c, p: repo(c, p).create_pull(p["title"], "", p["base"], p["head"]),
    "PATCH /repos/:owner/:repo/pulls/:number": lambda c, p: edited(pull(c, p), title=p["title"]),
    "GET /repos/:owner/:repo/pulls/:number/commits": lambda c, p: list(pull(c, p).get_commits()),
    "GET /repos/:owner/:repo/pulls/:number/files": lambda c, p: list(pull(c, p).get_files()),
    "GET /repos/:owner/:repo/pulls/:number/merge": lambda c, p: pull(c, p).is_merged(),
    "PUT /repos/:owner/:repo/pulls/:number/merge": lambda c, p: pull(c, p).merge(),
    "GET /repos/:owner/:repo/hooks": lambda c, p: list(repo(c, p).get_hooks()),
    "GET /repos/:owner/:repo/hooks/:id": lambda c, p: hook(c, p),
    "POST /repos/:owner/:repo/hooks": lambda c, p: repo(c, p).create_hook(p["name"], p["config"], p["events"], p["active"]),
    "PATCH /repos/:owner/:repo/hooks/:id": lambda c, p: edited(
        hook(c, p), "web", p["config"], add_events=p["add_events"], remove_events=p["remove_events"], active=p["active"]
    ),
    "POST /repos/:owner/:repo/hooks/:id/tests": lambda c, p: hook(c, p).test(),
    "POST /repos/:owner/:repo/hooks/:id/pings": lambda c, p: hook(c, p).ping(),
    "DELETE /repos/:owner/:repo/hooks/:id": lambda c, p: hook(c, p).delete(),
    "GET /hooks": lambda c, p: list(c.get_hooks()),
    "POST /hub": lambda c, p: repo(c, p).subscribe_to_hub(p["event"], p["callback"], p["secret"]),
    "GET /repos/:owner/:repo/stargazers": lambda c, p: page(c, repo(c, p).get_stargazers(), p),
    "GET /users/:username/starred": lambda c, p: list(reversed(list(c.get_user(p["username"]).get_starred()))),
    "GET /user/starred": lambda c, p: page(c, c.get_user().get_starred(), p),
    "GET /user/starred/:owner/:repo": lambda c, p: c.get_user().has_in_starred(repo(c, p)),
    "PUT /user/starred/:owner/:repo": lambda c, p: c.get_user().add_to_starred(repo(c, p)),
    "DELETE /user/starred/:owner/:repo": lambda c, p: c.get_user().remove_from_starred(repo(c, p)),
    "GET /repos/:owner/:repo/downloads": lambda c, p: list(repo(c, p).get_downloads()),
    "GET /repos/:owner/:repo/downloads/:id": lambda c, p: repo(c, p).get_download(p["download_id"]),
    "DELETE /repos/:owner/:repo/downloads/:id": lambda c, p: repo(c, p).get_download(p["download_id"]).delete(),
}

for line in sys.stdin:
    asked = json.loads(line)
    call = ROWS.get(asked["row"])
    p = asked["parameters"]
    if call is None or "headers" in p:
        answer = {"unknown": True}
    else:
        try:
            answer = {"data": plain(call(client(asked["as"], per_page=p.get("per_page", 30)), p))}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(answer), flush=True)
