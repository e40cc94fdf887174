from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
gl.auth()
version, _ = gl.version()
answer(
    {
        "username": gl.user.username,
        "version": version,
        "unknown_token": refusal(as_user("glpat-of-nobody").auth),
        "unknown_project": refusal(lambda: gl.projects.get("no/such-project")),
    }
)
