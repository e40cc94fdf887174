"""What a project can do, by python-gitlab."""
import time

from client import answer, as_user, refusal, start


def wait_until_filled(gl, project_id):
    for _ in range(600):
        project = gl.projects.get(project_id)
        if project.import_status in ("finished", "failed"):
            return project
        time.sleep(0.05)
    raise RuntimeError("the import does not end")


def main():
    gl = as_user(start()["token"])
    made = [gl.projects.create({"name": f"It {n}", "initialize_with_readme": True}) for n in range(3)]
    project = gl.projects.get(made[0].id, statistics=True)
    project.description = "Changed"
    project.topics = ["one", "two"]
    project.save()
    walked = [p.path for p in gl.projects.list(owned=True, order_by="id", sort="asc", per_page=2, iterator=True)]
    project.star()
    star_again = refusal(project.star)
    starrers = [s["user"]["username"] for s in gl.http_list(f"/projects/{project.id}/starrers", iterator=True)]
    project.unstar()
    fork = project.forks.create({"name": "Copy", "path": "copy"})
    filled = wait_until_filled(gl, fork.id)
    forks = [p.path_with_namespace for p in project.forks.list(get_all=True)]
    fork_again = refusal(lambda: project.forks.create({"name": "Copy", "path": "copy"}))
    filled.delete_fork_relation()
    unforked = refusal(filled.delete_fork_relation)
    filled.create_fork_relation(project.id)
    languages = project.languages()
    events = [[event.action_name, event.author_username] for event in project.events.list(per_page=2, sort="asc")]
    project.archive()
    archived = gl.projects.get(project.id).archived
    refused = refusal(lambda: gl.projects.update(project.id, {"description": "x"}))
    project.unarchive()
    group = gl.groups.create({"name": "Team", "path": "team"})
    project.transfer(group.path)
    moved = gl.projects.get("ann/it-0").path_with_namespace
    change_moved = refusal(lambda: gl.projects.update("ann/it-0", {"description": "x"}))
    fetches = project.additionalstatistics.get().fetches
    project.housekeeping()
    project.delete()
    gone = refusal(lambda: gl.projects.get(project.id))
    taken = refusal(lambda: gl.projects.create({"name": "It 1"}))
    answer({
        "statistics": gl.projects.get(made[1].id, statistics=True).statistics["commit_count"],
        "topics": project.topics,
        "walked": walked,
        "star_again": star_again,
        "starrers": starrers,
        "filled": [filled.import_status, filled.default_branch, filled.forked_from_project["id"] == project.id],
        "forks": forks,
        "fork_again": fork_again,
        "unforked": unforked,
        "languages": languages,
        "events": events,
        "archived": archived,
        "refused": refused,
        "moved": moved,
        "change_moved": change_moved,
        "fetches": fetches,
        "gone": gone,
        "taken": taken,
    })


main()
