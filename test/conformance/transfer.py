"""Moving a project by python-gitlab."""
import time

from client import answer, as_user, refusal, start


def wait_for(state, done):
    for _ in range(1200):
        now = state()
        if now in done:
            return now
        time.sleep(0.05)
    raise RuntimeError("it does not end")


def main():
    given = start()
    gl = as_user(given["token"])
    project = gl.projects.create({"name": "It", "initialize_with_readme": True})
    none = project.exports.get().export_status
    early = refusal(lambda: project.exports.get().download())
    export = project.exports.create()

    def state():
        export.refresh()
        return export.export_status

    finished = wait_for(state, ["finished"])
    pieces = []
    export.download(streamed=True, action=pieces.append)
    archive = b"".join(pieces)
    whole = archive == export.download()
    project.delete()
    imported = gl.projects.import_project(
        archive, "copy", name="The copy", override_params={"description": "Said", "topics": "a,b"}
    )
    copy = gl.projects.get(imported["id"], lazy=True)
    status = wait_for(lambda: copy.imports.get().import_status, ["finished", "failed"])
    done, said = copy.imports.get(), gl.projects.get("ann/copy")
    taken = refusal(lambda: gl.projects.import_project(archive, "copy"))
    again = gl.projects.import_project(archive, "copy", overwrite=True, namespace="ann")
    replaced = gl.projects.get(again["id"], lazy=True)
    wait_for(lambda: replaced.imports.get().import_status, ["finished", "failed"])
    final = gl.projects.get("ann/copy")
    broken = gl.projects.get(gl.projects.import_project(b"no archive", "broken")["id"], lazy=True)
    wait_for(lambda: broken.imports.get().import_status, ["finished", "failed"])
    answer({
        "imported": [imported["import_status"], imported["path_with_namespace"], imported["name"]],
        "status": status,
        "copy": [done.import_error, done.failed_relations, said.description, said.topics],
        "taken": taken,
        "overwritten": [final.id == again["id"], final.default_branch, final.topics],
        "broken": broken.imports.get().import_error.startswith("The archive cannot be read"),
        "none": none,
        "early": early,
        "finished": finished,
        "link": export._links["api_url"].endswith(f"/projects/{project.id}/export/download"),
        "archive": archive[:2].hex(),
        "whole": whole,
    })


main()
