from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])
result = {}

# Branches
branch = project.branches.create({"branch": "topic/x", "ref": "main"})
result["branch"] = [branch.name, branch.commit["id"] == given["sha"], branch.protected]
result["branches"] = [b.name for b in project.branches.list(get_all=True)]
result["found"] = [b.name for b in project.branches.list(search="^topic")]
result["branch_again"] = refusal(lambda: project.branches.create({"branch": "topic/x", "ref": "main"}))
result["no_branch"] = refusal(lambda: project.branches.get("none"))
branch.delete()
result["head_branch"] = refusal(lambda: project.branches.delete("main"))
project.branches.create({"branch": "merged", "ref": "main"})

# Protected branches and tags
protected = project.protectedbranches.create({"name": "stable-*", "push_access_level": 30})
result["protected"] = [protected.name, protected.push_access_levels[0]["access_level"]]
result["protected_again"] = refusal(lambda: project.protectedbranches.create({"name": "stable-*"}))
project.protectedbranches.get("stable-*").delete()
protected_tag = project.protectedtags.create({"name": "v*", "create_access_level": 40})
result["protected_tags"] = [t.name for t in project.protectedtags.list()]
protected_tag.delete()

# Files
file = project.files.create(
    {"file_path": "dir/a.txt", "branch": "main", "content": "one\n", "commit_message": "Add"}
)
result["file"] = file.file_path
file = project.files.get("dir/a.txt", ref="main")
result["content"] = file.decode().decode()
file.content = "two\n"
file.save(branch="main", commit_message="Change")
result["raw"] = project.files.raw("dir/a.txt", ref="main").decode()
result["blame"] = [part["lines"] for part in project.files.blame("dir/a.txt", ref="main")]
result["exists"] = refusal(
    lambda: project.files.create(
        {"file_path": "dir/a.txt", "branch": "main", "content": "x", "commit_message": "x"}
    )
)
project.files.get("dir/a.txt", ref="main").delete(branch="main", commit_message="Away")
result["no_file"] = refusal(lambda: project.files.get("dir/a.txt", ref="main"))

# Commits
commit = project.commits.create(
    {
        "branch": "work",
        "start_branch": "main",
        "commit_message": "Several",
        "actions": [
            {"action": "create", "file_path": "b.txt", "content": "b\n"},
            {"action": "create", "file_path": "c.txt", "content": "c\n"},
        ],
    }
)
result["commit"] = [commit.title, commit.stats["additions"], commit.project_id == project.id]
result["commits"] = [c.title for c in project.commits.list(ref_name="work", all=False, get_all=True)]
result["per_page"] = [c.title for c in project.commits.list(ref_name="work", per_page=1, get_all=True)]
result["diff"] = [d["new_path"] for d in commit.diff()]
result["refs"] = commit.refs()
commit.comments.create({"note": "Nice"})
result["comments"] = [c.note for c in commit.comments.list()]
commit.cherry_pick(branch="main")
result["picked"] = project.commits.get("main").title
result["conflict"] = refusal(lambda: commit.cherry_pick(branch="main"))
project.commits.get("main").revert(branch="main")
result["reverted"] = project.commits.get("main").title
result["no_commit"] = refusal(lambda: project.commits.get("none"))
result["status"] = [s.name for s in commit.statuses.list()]

# The repository as a whole
result["tree"] = [e["path"] for e in project.repository_tree(ref="work", recursive=True, get_all=True)]
result["paged"] = [e["path"] for e in project.repository_tree(ref="work", per_page=1, get_all=True)]
result["keyset"] = [
    e["path"] for e in project.repository_tree(ref="work", per_page=1, pagination="keyset", get_all=True)
]
blob = [e["id"] for e in project.repository_tree(ref="work") if e["path"] == "b.txt"][0]
result["blob"] = project.repository_blob(blob)["size"]
result["raw_blob"] = project.repository_raw_blob(blob).decode()
result["zip"] = project.repository_archive(sha="work", format="zip")[:2].decode()
compared = project.repository_compare("main", "work")
result["compare"] = [c["title"] for c in compared["commits"]]
result["contributors"] = [c["email"] for c in project.repository_contributors()]
result["merge_base"] = project.repository_merge_base(["main", "work"])["title"]

# Tags
tag = project.tags.create({"tag_name": "v1.0", "ref": "main", "message": "First"})
result["tag"] = [tag.name, tag.message, tag.protected]
result["tags"] = [t.name for t in project.tags.list(get_all=True)]
result["tag_again"] = refusal(lambda: project.tags.create({"tag_name": "v1.0", "ref": "main"}))
project.tags.get("v1.0").delete()
result["no_tag"] = refusal(lambda: project.tags.get("v1.0"))
project.delete_merged_branches()
result["left"] = sorted(b.name for b in project.branches.list(get_all=True))

# Keys and tokens of machines
key = project.keys.create({"title": "robot", "key": given["key"]})
result["key"] = [key.title, key.can_push]
key.can_push = True
key.save()
result["keys"] = [[k.title, k.can_push] for k in project.keys.list()]
key.delete()
result["bad_key"] = refusal(lambda: project.keys.create({"title": "x", "key": "x"}))
token = project.deploytokens.create({"name": "pull", "scopes": ["read_repository"], "username": "robot"})
result["deploy_token"] = [token.name, token.username, token.token.startswith("gldt-")]
result["deploy_tokens"] = [t.name for t in project.deploytokens.list()]
token.delete()
answer(result)
