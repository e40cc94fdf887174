from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])

for number in range(3):
    project.releases.create(
        {
            "tag_name": f"v1.{number}",
            "name": f"Release {number}",
            "description": "notes",
            "ref": "main",
            "assets": {"links": [{"name": "image", "url": f"https://example.com/{number}"}]},
        }
    )
paged = [release.tag_name for release in project.releases.list(iterator=True, per_page=2)]
release = project.releases.get("v1.0")
release.name = "First"
release.save()
link = release.links.create({"name": "notes", "url": "https://example.com/notes", "filepath": "/notes"})
link.name = "the notes"
link.save()
links = [each.name for each in release.links.list(iterator=True, per_page=1)]
link.delete()
project.releases.delete("v1.1")

# Lint and statuses
linted = project.ci_lint.create({"content": "build: { script: [make] }"})
broken = project.ci_lint.create({"content": "build: { script: 1 }"})
committed = project.ci_lint.get()
text = gl.ci_lint.create({"content": "build: { script: [make] }"})
commit = project.commits.get(given["sha"], lazy=True)
commit.statuses.create({"state": "pending", "name": "outside"})
commit.statuses.create({"state": "success", "name": "outside", "coverage": 12.5})

answer(
    {
        "paged": paged,
        "changed": [project.releases.get("v1.0").name, release.assets["count"]],
        "links": links,
        "left": [each.name for each in release.links.list(get_all=True)],
        "gone": refusal(lambda: project.releases.get("v1.1")),
        "taken": refusal(lambda: project.releases.create({"tag_name": "v1.0", "description": "x"})),
        "no_ref": refusal(lambda: project.releases.create({"tag_name": "v9", "description": "x"})),
        "same_link": refusal(
            lambda: release.links.create({"name": "other", "url": "https://example.com/0"})
        ),
        "lint": [linted.valid, broken.valid, committed.valid, text.status],
        "errors": broken.errors,
        "statuses": [[each.name, each.status, each.coverage] for each in commit.statuses.list(iterator=True)],
        "no_state": refusal(
            lambda: gl.http_post(f"/projects/{project.id}/statuses/{given['sha']}", post_data={})
        ),
        "no_commit": refusal(
            lambda: gl.http_post(
                f"/projects/{project.id}/statuses/{'f' * 40}", post_data={"state": "success"}
            )
        ),
    }
)
