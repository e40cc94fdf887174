from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])

made = [
    project.hooks.create({"url": "https://example.com/%d" % number, "tag_push_events": 1, "token": "secret"})
    for number in range(3)
]
changed = project.hooks.get(made[0].id)
changed.url = "https://example.com/changed"
changed.job_events = True
changed.save()
pages = [hook.id for hook in project.hooks.list(per_page=2, iterator=True)]
project.hooks.delete(made[2].id)
project.hooks.delete(made[2].id)
root = as_user(given["root"])
system = root.hooks.create({"url": "https://example.com/system"})
listed = [hook.url for hook in root.hooks.list(get_all=True)]
root.hooks.get(system.id).delete()
answer(
    {
        "system": {"made": system.attributes, "listed": listed, "left": len(root.hooks.list(get_all=True))},
        "not_admin": refusal(lambda: gl.hooks.list()),
        "made": made[0].attributes,
        "changed": project.hooks.get(made[0].id).attributes,
        "pages": pages == [hook.id for hook in made],
        "left": len(project.hooks.list(get_all=True)),
        "gone": refusal(lambda: project.hooks.get(made[2].id)),
        "wrong_url": refusal(lambda: project.hooks.create({"url": "nothing"})),
        "local_url": refusal(lambda: project.hooks.create({"url": "http://localhost/"})),
        "wrong_filter": refusal(
            lambda: project.hooks.create({"url": "https://example.com", "push_events_branch_filter": "a b"})
        ),
        "not_mine": refusal(lambda: as_user(given["other"]).projects.get(given["project"], lazy=True).hooks.list()),
    }
)
