from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])
other = as_user(given["maintainer"]).projects.get(given["project"])

# Triggers
triggers = [project.triggers.create({"description": f"trigger {n}"}) for n in range(3)]
paged = [each.description for each in project.triggers.list(iterator=True, per_page=2)]
triggers[0].description = "changed"
triggers[0].save()
started = project.trigger_pipeline("main", triggers[0].token, variables={"A": "b"})
triggers[1].delete()

# Schedules
made = project.pipelineschedules.create(
    {"ref": "main", "description": "nightly", "cron": "0 1 * * 5", "cron_timezone": "UTC", "active": False}
)
made.cron = "0 2 * * *"
made.active = True
made.save()
schedule_id = made.id
made.variables.create({"key": "K", "value": "v"})
changed = project.pipelineschedules.get(schedule_id)
# The client puts the answer to playing in the place of the schedule.
project.pipelineschedules.get(schedule_id).play()
# With the default, the client would wait as long as the answer says, and try again.
once = refusal(lambda: changed.play(obey_rate_limit=False))
taken = other.pipelineschedules.get(schedule_id)
taken.take_ownership()
not_owner = refusal(lambda: project.pipelineschedules.update(schedule_id, {"description": "mine"}))
pipelines = gl.http_list(
    f"/projects/{project.id}/pipeline_schedules/{schedule_id}/pipelines", get_all=True
)
project.pipelineschedules.get(schedule_id).delete()

answer(
    {
        "paged": paged,
        "changed": project.triggers.get(triggers[0].id).description,
        "foreign_token": other.triggers.get(triggers[0].id).token == triggers[0].token[6:10],
        "started": {"source": started.source, "ref": started.ref},
        "wrong_token": refusal(lambda: project.trigger_pipeline("main", "glptt-of-nobody")),
        "wrong_ref": refusal(lambda: project.trigger_pipeline("none", triggers[0].token)),
        "no_trigger": refusal(lambda: project.triggers.get(triggers[1].id)),
        "schedule": {key: getattr(changed, key) for key in ("cron", "active", "ref")},
        "variables": changed.attributes["variables"],
        "pipelines": len(pipelines),
        "once": {key: once[key] for key in ("kind", "status")},
        "not_owner": not_owner["status"],
        "bad_cron": refusal(
            lambda: project.pipelineschedules.create({"ref": "main", "description": "x", "cron": "often"})
        ),
        "gone": refusal(lambda: project.pipelineschedules.get(schedule_id)),
    }
)
