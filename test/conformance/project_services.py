from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])
admin = as_user(given["admin"])

settings = admin.settings.get()
before = settings.default_project_visibility
settings.default_project_visibility = "internal"
settings.save()
after = admin.settings.get().default_project_visibility
project = gl.projects.create({"name": "It", "initialize_with_readme": True})
settings.default_project_visibility = "private"
settings.save()

project.pushrules.create({"commit_message_regex": "^JIRA-"})
commit = refusal(
    lambda: project.files.create(
        {"file_path": "a.txt", "branch": "main", "content": "a", "commit_message": "Add a"}
    )
)
rule = project.pushrules.get()
rule.max_file_size = 5
rule.save()
changed = project.pushrules.get().max_file_size
rule.delete()

snippet = project.snippets.create(
    {
        "title": "Notes",
        "file_name": "a.py",
        "content": "print(1)",
        "visibility": "private",
    }
)
content = snippet.content().decode()
snippet.title = "Better"
snippet.save()
title = project.snippets.get(snippet.id).title
note = snippet.notes.create({"body": "Nice"}).body
gl.snippets.create({"title": "mine", "file_name": "a", "content": "a"})
snippet.delete()

project.wikis.create({"title": "home", "content": "Hello"})
page = project.wikis.create({"title": "Setup/First steps", "content": "# A", "format": "markdown"})
page.content = "# B"
page.save()
attached = gl.http_post(f"/projects/{project.id}/wikis/attachments", files={"file": ("a.txt", "a")})
read = project.wikis.get(page.slug)
listed = [each.title for each in project.wikis.list(get_all=True)]
found = [each["path"] for each in project.search("wiki_blobs", "# B", get_all=True)]
page.delete()

slack = project.integrations.get("slack")
slack.webhook = "https://chat.example.com/x"
slack.channel = "#team"
slack.save()
active = [each.slug for each in project.integrations.list()]
channel = project.integrations.get("slack").properties["channel"]
slack.delete()

own = project.notificationsettings.get()
own.level = "custom"
own.new_issue = True
own.save()
kept = project.notificationsettings.get()
everywhere = gl.notificationsettings.get()
everywhere.level = "watch"
everywhere.save()

answer(
    {
        "settings": {"before": before, "after": after, "visibility": project.visibility},
        "push_rule": {
            "commit": commit["message"].split(": ", 1)[1],
            "changed": changed,
            "deleted": refusal(lambda: project.pushrules.get()),
        },
        "snippet": {
            "content": content,
            "title": title,
            "note": note,
            "personal": [each.title for each in gl.snippets.list()],
            "deleted": refusal(lambda: project.snippets.get(snippet.id)),
        },
        "wiki": {
            "slug": read.slug,
            "content": read.content,
            "listed": listed,
            "attached": [attached["file_name"], attached["branch"]],
            "found": found,
            "deleted": refusal(lambda: project.wikis.get("Setup/First-steps")),
        },
        "integration": {
            "active": active,
            "channel": channel,
            "left": [each.slug for each in project.integrations.list()],
        },
        "notifications": {
            "level": kept.level,
            "new_issue": kept.events["new_issue"],
            "global": gl.notificationsettings.get().level,
        },
    }
)
