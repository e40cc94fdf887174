from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])

made = [project.environments.create({"name": name}) for name in ("prod", "stage", "review/a")]
paged = [each.name for each in project.environments.list(iterator=True, per_page=2)]
found = [each.name for each in project.environments.list(get_all=True, search="sta")]
prod = made[0]
prod.external_url = "https://example.com"
prod.save()
deployment = project.deployments.create(
    {"environment": "prod", "sha": given["sha"], "ref": "main", "tag": False, "status": "running"}
)
deployment.status = "success"
deployment.save()
ended = refusal(lambda: project.deployments.update(deployment.id, {"status": "running"}))
shown = project.environments.get(prod.id)
made[1].delete()
answer(
    {
        "slugs": [each.slug for each in made[:2]],
        "paged": paged,
        "found": found,
        "shown": [shown.external_url, shown.state, shown.last_deployment["status"]],
        "deployments": [
            [each.iid, each.status, each.environment["name"], each.deployable]
            for each in project.deployments.list(iterator=True, environment="prod")
        ],
        "ended": ended,
        "taken": refusal(lambda: project.environments.create({"name": "prod"})),
        "both": refusal(lambda: project.environments.list(name="prod", search="pro")),
        "gone": refusal(lambda: project.environments.get(made[1].id)),
        "no_commit": refusal(
            lambda: project.deployments.create(
                {"environment": "prod", "sha": "f" * 40, "ref": "main", "tag": False, "status": "running"}
            )
        ),
        "no_status": refusal(
            lambda: gl.http_post(
                f"/projects/{project.id}/deployments",
                post_data={"environment": "prod", "sha": given["sha"], "ref": "main", "tag": False},
            )
        ),
    }
)
