"""How a project goes that is kept for some days, by python-gitlab."""
from client import answer, as_user, refusal, start


def main():
    gl = as_user(start()["token"])
    project = gl.projects.create({"name": "It", "path": "it"})
    project.delete()
    marked = gl.projects.get(project.id)
    day = marked.marked_for_deletion_on
    found = [p.path.split("-")[0] for p in gl.projects.list(marked_for_deletion_on=day, get_all=True)]
    again = refusal(marked.delete)
    marked.restore()
    restored = gl.projects.get(project.id)
    not_marked = refusal(restored.restore)
    restored.delete()
    restored.delete(permanently_remove=True, full_path=marked.path_with_namespace)
    answer({
        "marked": day,
        "path": marked.path_with_namespace,
        "found": found,
        "again": again,
        "restored": [restored.marked_for_deletion_on, restored.path_with_namespace],
        "not_marked": not_marked,
        "gone": refusal(lambda: gl.projects.get(project.id)),
    })


main()
