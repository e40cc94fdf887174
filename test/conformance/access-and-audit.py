"""What is neither made and removed like a record nor has a file of its own: statuses, lint, requests, bridges, the trail."""

from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])
asker = as_user(given["asker"])
theirs = asker.projects.get(given["project"])
commit = project.commits.get("main")

# Statuses of other systems
commit.statuses.create({"state": "pending", "context": "ext", "target_url": "https://example.com", "coverage": 12.5})
again = refusal(lambda: commit.statuses.create({"state": "pending", "context": "ext"}))
done = commit.statuses.create({"state": "success", "name": "ext"})
wrong_state = refusal(lambda: commit.statuses.create({"state": "odd"}))
no_commit = refusal(lambda: project.commits.get("0" * 40, lazy=True).statuses.create({"state": "success"}))
not_developer = refusal(lambda: theirs.commits.get(commit.id).statuses.create({"state": "success"}))
names = [each.name for each in commit.statuses.list(per_page=1, iterator=True)]

# Bridges
pipeline = project.pipelines.list(get_all=False)[0]
bridges = [[each.name, each.downstream_pipeline["project_id"] == project.id] for each in pipeline.bridges.list()]

# Lint
content = "a: { script: [x] }"
lint = {
    "instance": [gl.ci_lint.create({"content": each}).status for each in (content, "a: { scrip: [x] }")],
    "committed": project.ci_lint.get().valid,
    "jobs": [each["name"] for each in project.ci_lint.create({"content": content, "include_jobs": True}).jobs],
    "nothing": refusal(lambda: gl.http_post("/ci/lint", post_data={})),
}

# Requests for membership
gl.projects.update(project.id, {"request_access_enabled": True})
request = theirs.accessrequests.create()
twice = refusal(lambda: theirs.accessrequests.create())
asked = [each.username for each in project.accessrequests.list()]
not_theirs = refusal(lambda: asker.http_put(f"/projects/{project.id}/access_requests/{request.id}/approve"))
project.accessrequests.list()[0].approve(access_level=20)
level = project.members.get(request.id).access_level

# The trail
events = gl.audit_events.list(per_page=2, iterator=True)
trail = {
    "first": [event.entity_type for event in gl.audit_events.list(get_all=False, entity_type="Project", per_page=1)],
    "many": sum(1 for _ in events) > 2,
    "project": project.audit_events.list(get_all=False)[0].entity_id == project.id,
    "kinds": sorted({each.details["target_type"] for each in project.audit_events.list(get_all=True)}),
    "one": gl.audit_events.get(1).id,
    "absent": refusal(lambda: gl.audit_events.get(9999)),
    "half": refusal(lambda: gl.audit_events.list(entity_id=1)),
    "not_admin": refusal(lambda: asker.audit_events.list()),
}

answer(
    {
        "statuses": {
            "done": [done.status, done.target_url, done.coverage],
            "names": sorted(names),
            "again": again,
            "wrong_state": wrong_state,
            "no_commit": no_commit,
            "not_developer": not_developer["status"],
        },
        "bridges": bridges,
        "lint": lint,
        "requests": {
            "asked": asked,
            "twice": twice["status"],
            "not_theirs": not_theirs["status"],
            "level": level,
            "left": len(project.accessrequests.list()),
        },
        "trail": trail,
    }
)
