from client import answer, as_user, refusal, start

given = start()
gl = as_user(given["token"])

made = gl.users.create(
    {
        "username": "mary",
        "name": "Mary",
        "email": "mary@example.com",
        "password": "correct horse battery",
        "skip_confirmation": True,
        "bio": "Builds things",
        "projects_limit": 7,
    }
)
for number in range(3):
    gl.users.create(
        {
            "username": f"user{number}",
            "name": f"User {number}",
            "email": f"user{number}@example.com",
            "force_random_password": True,
        }
    )

user = gl.users.get(made.id)
user.bio = ""
user.location = "Paris"
user.save()

blocked = [user.block(), gl.users.get(made.id).state, user.unblock()]

token = user.personal_access_tokens.create({"name": "ci", "scopes": ["api"]})
mary = as_user(token.token)
mary.auth()

key = mary.user.keys.create({"title": "Laptop", "key": given["ssh_key"]})
email = mary.user.emails.create({"email": "mary@work.example"})
gpg = mary.user.gpgkeys.create({"key": given["gpg_key"]})
status = mary.user.status.get()
status.emoji = "coffee"
status.message = "Back soon"
status.save()
impersonation = user.impersonationtokens.create({"name": "look", "scopes": ["read_user"]})
user.customattributes.set("team", "blue")

lists = {
    "users": [each.username for each in gl.users.list(per_page=2, iterator=True, order_by="id", sort="asc")],
    "by_name": [each.username for each in gl.users.list(username="MARY")],
    "keys": [each.title for each in mary.user.keys.list(get_all=True)],
    "emails": [each.email for each in user.emails.list(get_all=True)],
    "gpg_keys": len(mary.user.gpgkeys.list(get_all=True)),
    "impersonation": [each.name for each in user.impersonationtokens.list(state="active", get_all=True)],
    "tokens": [each.name for each in mary.personal_access_tokens.list(get_all=True)],
    "attributes": [each.key for each in user.customattributes.list(get_all=True)],
}

project = mary.projects.create({"name": "app"})
bot = project.access_tokens.create({"name": "deploy", "scopes": ["api"], "access_level": 30})
bot_level = project.access_tokens.list(get_all=True)[0].access_level
as_bot = as_user(bot.token)
as_bot.auth()
bot.delete()

refusals = {
    "taken": refusal(lambda: gl.users.create({"username": "mary", "name": "x", "email": "x@example.com", "password": "long enough"})),
    "no_password": refusal(lambda: gl.users.create({"username": "x", "name": "x", "email": "x@example.com"})),
    "nobody": refusal(lambda: gl.users.get(9999)),
    "bad_key": refusal(lambda: mary.user.keys.create({"title": "x", "key": "x"})),
    "not_admin": refusal(lambda: mary.users.create({"username": "x", "name": "x", "email": "x@example.com", "password": "long enough"})),
    "follow_self": refusal(lambda: mary.users.get(made.id).follow()),
}

seen = mary.users.get(made.id)
key.delete()
email.delete()
gpg.delete()
impersonation.delete()
user.customattributes.delete("team")
gl.personal_access_tokens.delete(token.id)
refusals["revoked"] = refusal(lambda: mary.auth())
user.delete(hard_delete=True)
refusals["gone"] = refusal(lambda: user.delete())

linked = gl.users.create(
    {
        "username": "linked",
        "name": "Linked",
        "email": "linked@example.com",
        "force_random_password": True,
        "provider": "corp",
        "extern_uid": "uid-1",
    }
)
by_identity = gl.users.list(provider="corp", extern_uid="uid-1", get_all=True)
identities = {
    "created": linked.identities,
    "found": [each.username for each in by_identity],
    "two_factor": gl.users.get(linked.id).two_factor_enabled,
}
gl.users.get(linked.id).identityproviders.delete("corp")
identities["unlinked"] = gl.users.get(linked.id).identities

answer(
    {
        "made": {"username": made.username, "bio": made.bio, "limit": made.projects_limit},
        "changed": {"bio": seen.bio, "location": seen.location},
        "blocked": blocked,
        "status": status.message,
        "bot": {"level": bot_level, "name": as_bot.user.name, "bot": as_bot.user.bot},
        "lists": lists,
        "refusals": refusals,
        "identities": identities,
    }
)
