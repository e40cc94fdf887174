from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
group = gl.groups.get(given["group"])
project = gl.projects.get(given["project"])


def live(manager, scoped):
    """Creates, pages through, reads, changes and deletes variables of one owner."""
    for number in range(3):
        manager.create({"key": f"K{number}", "value": f"the value {number}".replace(" ", "-"), "masked": number == 2})
    paged = [variable.key for variable in manager.list(iterator=True, per_page=2)]
    variable = manager.get("K0")
    variable.value = "changed"
    variable.protected = True
    variable.save()
    changed = manager.get("K0").attributes
    manager.delete("K1")
    seen = {
        "paged": paged,
        "changed": [changed["value"], changed["protected"], changed["variable_type"]],
        "left": sorted(variable.key for variable in manager.list(get_all=True)),
        "absent": refusal(lambda: manager.get("K1")),
        "taken": refusal(lambda: manager.create({"key": "K0", "value": "x"})),
        "unmaskable": refusal(lambda: manager.create({"key": "M", "value": "x", "masked": True})),
        "nameless": refusal(lambda: manager.create({"key": "a-b", "value": "x"})),
    }
    if scoped:
        manager.create({"key": "K0", "value": "for prod", "environment_scope": "prod"})
        seen["ambiguous"] = refusal(lambda: manager.get("K0"))
        seen["by_scope"] = manager.get("K0", filter={"environment_scope": "prod"}).value
        manager.delete("K0", filter={"environment_scope": "prod"})
    return seen


answer(
    {
        "project": live(project.variables, True),
        "group": live(group.variables, False),
        "instance": live(gl.variables, False),
        "stranger": refusal(lambda: as_user(given["stranger"]).variables.list()),
    }
)
