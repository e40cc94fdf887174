"""Groups, members and shares, by python-gitlab."""
from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
other = as_user(given["other"])
other.auth()
me = other.user.id

top = gl.groups.create({"name": "Top", "path": "top"})
for number in range(3):
    gl.groups.create({"name": f"Sub {number}", "path": f"sub-{number}", "parent_id": top.id})
project = gl.projects.create({"name": "It", "namespace_id": top.id})
top.description = "All of it"
top.save()
hidden = refusal(lambda: other.groups.get(top.id))
member = top.members.create({"user_id": me, "access_level": 30})
member.access_level = 40
member.save()
taken = refusal(lambda: top.members.create({"user_id": me, "access_level": 30}))
too_much = refusal(lambda: other.groups.get(top.id).members.create({"user_id": 1, "access_level": 30}))
inherited = project.members_all.get(me).access_level
member.delete()
team = other.groups.create({"name": "Team", "path": "team", "visibility": "internal"})
project.share(team.id, 20)
seen = other.projects.get(project.id).permissions["group_access"]["access_level"]
project.unshare(team.id)
top.share(team.id, 10)
top.unshare(team.id)
clash = refusal(lambda: gl.groups.create({"name": "Top", "path": "top"}))
answer(
    {
        "record": [gl.groups.get("top").description, top.visibility, top.full_name],
        "hidden": hidden["status"],
        "pages": [group.path for group in top.subgroups.list(per_page=2, iterator=True)],
        "below": len(top.descendant_groups.list(get_all=True)),
        "projects": [found.path for found in top.projects.list(get_all=True)],
        "taken": taken["status"],
        "too_much": too_much["status"],
        "inherited": inherited,
        "seen": seen,
        "clash": clash["status"],
        "namespaces": [space.full_path for space in gl.namespaces.list(search="top", per_page=1, get_all=False)],
        "deleted": top.delete(),
        "gone": refusal(lambda: gl.groups.get(top.id))["status"],
    }
)
