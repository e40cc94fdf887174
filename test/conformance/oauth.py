import gitlab
from client import answer, refusal, start

given = start()
gl = gitlab.Gitlab(given["url"], oauth_token=given["token"], retry_transient_errors=False)
gl.auth()
unknown = gitlab.Gitlab(given["url"], oauth_token="of-nobody", retry_transient_errors=False)
answer(
    {
        "username": gl.user.username,
        "projects": [project.path_with_namespace for project in gl.projects.list(owned=True)],
        "unknown_token": refusal(unknown.auth),
    }
)
