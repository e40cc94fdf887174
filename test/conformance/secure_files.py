import io

from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.create({"name": "It"})

made = project.secure_files.create({"name": "a.jks", "file": io.BytesIO(b"\x00\x01key")})
project.secure_files.create({"name": "b.p12", "file": io.BytesIO(b"other")})
answer(
    {
        "names": [each.name for each in project.secure_files.list(iterator=True, per_page=1)],
        "checksum": project.secure_files.get(made.id).checksum,
        "bytes": made.download().hex(),
        "taken": refusal(lambda: project.secure_files.create({"name": "a.jks", "file": io.BytesIO(b"x")})),
        "deleted": [made.delete(), refusal(lambda: project.secure_files.get(made.id))],
    }
)
