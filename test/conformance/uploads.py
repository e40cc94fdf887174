"""Files, pictures and badges of a project, by python-gitlab."""
import urllib.error
import urllib.request

from client import answer, as_user, refusal, start

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)

given = start()
gl = as_user(given["token"])
project = gl.projects.create({"name": "It", "visibility": "public"})


def fetch(path):
    try:
        with urllib.request.urlopen(given["url"] + path) as response:
            return response.read(), dict(response.headers)
    except urllib.error.HTTPError as error:
        return error.code, {}


picture = project.upload("shot.png", filedata=PNG)
note = project.upload("note.html", filedata=b"<script>alert(1)</script>")
body, headers = fetch("/" + project.path_with_namespace + picture["url"])
page, page_headers = fetch("/" + project.path_with_namespace + note["url"])
project.avatar = PNG
project.save()
face = gl.projects.get(project.id).avatar_url
shown, face_headers = fetch(face[len(given["url"]):])
project.avatar = b"<svg/>"
no_picture = refusal(project.save)
answer(
    {
        "markdown": picture["markdown"].replace(picture["url"], "URL"),
        "same": body == PNG,
        "type": headers["content-type"],
        "link": note["markdown"].replace(note["url"], "URL"),
        "page": [page.decode(), page_headers["content-type"], page_headers["content-disposition"].split(";")[0]],
        "face": [shown == PNG, face_headers["content-type"]],
        "no_picture": no_picture["status"],
    }
)
