"""Does with every row of resource-rows.ts what the table promises: create, read, list across pages, update, delete, errors."""

import traceback

from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])


def owners_of(client):
    """What a row can belong to, by the names that rows use; nothing is asked of the server."""
    return {
        "instance": client,
        "project": client.projects.get(given["project"], lazy=True),
        "group": client.groups.get(given["group"], lazy=True),
        "user": client.users.get(given["user"], lazy=True),
        "issue": client.projects.get(given["project"], lazy=True).issues.get(1, lazy=True),
        "release": client.projects.get(given["project"], lazy=True).releases.get("v0", lazy=True),
    }


gl.auth()
MINE = {**owners_of(gl), "me": gl.user}
THEIRS = owners_of(as_user(given["outsider"]))


def make(manager, body):
    if hasattr(manager, "create"):
        return manager.create(body)
    return manager.set(body["key"], body["value"])


def remove(manager, name):
    """Mirrors have no call for it in this version of the client."""
    if hasattr(manager, "delete"):
        manager.delete(name)
    else:
        manager.gitlab.http_delete(f"{manager.path}/{name}")


def live(row):
    manager = getattr(MINE[row["of"]], row["manager"])
    key = row["key"]
    readable = row["readable"] and hasattr(manager, "get")
    name = lambda record: getattr(record, key)
    made = [make(manager, body) for body in row["bodies"]]
    # What answers that it was done, not what was made, is known by what was asked.
    names = [record.attributes.get(key, body.get(key)) for record, body in zip(made, row["bodies"])]
    first = made[0]
    seen = {
        "made": names,
        "paged": [name(record) for record in manager.list(per_page=2, iterator=True, **row["filter"])],
    }
    if row["wrong"]:
        seen["refused"] = refusal(lambda: make(manager, row["wrong"]["body"]))
    if readable:
        seen["read"] = name(manager.get(names[0]))
    if row["change"]:
        if readable:
            for field, value in row["change"].items():
                setattr(first, field, value)
            first.save()
            changed = manager.get(names[0]).attributes
        else:
            changed = manager.update(names[0], row["change"])
        seen["changed"] = {field: changed[field] for field in row["change"]}
    if "hidden" in row:
        seen["hidden"] = refusal(lambda: getattr(THEIRS[row["of"]], row["manager"]).list(get_all=True))
    for each in names:
        remove(manager, each)
    seen["left"] = [name(record) for record in manager.list(get_all=True, **row["filter"])]
    if row["gone"]:
        seen["gone"] = refusal(lambda: remove(manager, names[0]))
    if readable and row["absent"]:
        seen["absent"] = refusal(lambda: manager.get(names[0]))
    return seen


def attempt(row):
    """So that one row which fails does not hide the others."""
    try:
        return live(row)
    except Exception:
        return {"failed": traceback.format_exc()}


answer({row["resource"]: attempt(row) for row in given["rows"]})
