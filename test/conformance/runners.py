from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])
other = gl.projects.get(given["other"])

made = [
    gl.runners.create(
        {
            "token": given["registration"],
            "description": f"runner {number}",
            "tag_list": ["docker", f"n{number}"],
        }
    )
    for number in range(3)
]
gl.runners.verify(made[0].token)
paged = [runner.description for runner in gl.runners_all.list(iterator=True, per_page=2)]
both_tags = [runner.id for runner in gl.runners_all.list(get_all=True, tag_list="docker,n1")]

runner = gl.runners.get(made[1].id)
runner.description = "changed"
runner.tag_list = ["linux"]
runner.active = False
runner.maximum_timeout = 900
runner.save()
changed = gl.runners.get(made[1].id)
gl.runners.delete(made[1].id)

of_project = gl.http_post(
    "/user/runners",
    post_data={"runner_type": "project_type", "project_id": project.id, "tag_list": ["own"]},
)
other.runners.create({"runner_id": of_project["id"]})
shared_with = [each.id for each in other.runners.list(get_all=True, type="project_type")]
other.runners.delete(of_project["id"])

stranger = as_user(given["stranger"])
answer(
    {
        "made": [runner.id for runner in made],
        "paged": paged,
        "both_tags": both_tags,
        "changed": {
            key: getattr(changed, key)
            for key in ("description", "tag_list", "active", "paused", "status", "maximum_timeout")
        },
        "jobs": [job.id for job in gl.runners.get(made[0].id).jobs.list(get_all=True)],
        "created": of_project,
        "shared_with": shared_with,
        "gone": refusal(lambda: gl.runners.get(made[1].id)),
        "bad_scope": refusal(lambda: gl.runners.list(scope="odd")),
        "bad_token": refusal(lambda: gl.runners.verify("glrt-of-nobody")),
        "bad_registration": refusal(lambda: gl.runners.create({"token": "nothing"})),
        "no_tags": refusal(
            lambda: gl.http_post(
                "/user/runners", post_data={"runner_type": "instance_type", "run_untagged": False}
            )
        ),
        "last_project": refusal(lambda: project.runners.delete(of_project["id"])),
        "not_all": refusal(lambda: stranger.runners_all.list()),
        "not_mine": refusal(lambda: stranger.runners.delete(made[0].id)),
    }
)
