"""A day of a team: an issue, a merge request from a fork, a review, a pipeline that fails, a merge and a release."""

import time

from client import answer, as_user, start

given = start()
lead = as_user(given["lead"])
ann = as_user(given["ann"])
bob = as_user(given["bob"])
for each in (lead, ann, bob):
    each.auth()


def until(read, is_wanted, what):
    """Asks again and again, as clients do that wait for something in the background."""
    deadline = time.monotonic() + 60
    while True:
        value = read()
        if is_wanted(value):
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}: {value}")
        time.sleep(0.05)


seen = {}

# The lead prepares the project; bob, who is no member, reports a bug.
project = lead.projects.get(given["project"])
project.only_allow_merge_if_all_discussions_are_resolved = True
project.save()
project.members.create({"user_id": ann.user.id, "access_level": 40})
project.labels.create({"name": "bug", "color": "#ff0000"})
milestone = project.milestones.create({"title": "v1.1"})
issue = bob.projects.get(project.id).issues.create({"title": "The engine stalls", "description": "At 9."})
for_ann = ann.projects.get(project.id)
triaged = for_ann.issues.get(issue.iid)
triaged.labels = ["bug"]
triaged.milestone_id = milestone.id
triaged.save()
triaged.notes.create({"body": "Who takes it? @bob"})

# Bob forks it and proposes a change, which breaks the build.
fork = bob.projects.get(project.id).forks.create({})
fork = until(lambda: bob.projects.get(fork.id), lambda each: each.import_status == "finished", "the fork")
fork.commits.create(
    {
        "branch": "steady",
        "start_branch": "main",
        "commit_message": "Break the engine",
        "actions": [{"action": "update", "file_path": "engine.txt", "content": "one\ntwo!\nthree\n"}],
    }
)
created = fork.mergerequests.create(
    {
        "source_branch": "steady",
        "target_branch": "main",
        "target_project_id": project.id,
        "title": "Keep the engine going",
        "description": f"Closes #{issue.iid}",
        "remove_source_branch": True,
    }
)
mr = bob.projects.get(project.id).mergerequests.get(created.iid)
mr = until(
    lambda: bob.projects.get(project.id).mergerequests.get(created.iid),
    lambda each: (each.head_pipeline or {}).get("status") == "failed"
    and each.detailed_merge_status not in ("unchecked", "checking", "preparing"),
    "the pipeline that fails",
)
seen["failed"] = [mr.detailed_merge_status, [each["status"] for each in map(lambda p: p.attributes, mr.pipelines.list())]]

# Ann is asked for a review, and comments on a line with a suggestion.
review = for_ann.mergerequests.get(mr.iid)
review.reviewer_ids = [ann.user.id]
review.save()
position = {
    **review.diff_refs,
    "position_type": "text",
    "new_path": "engine.txt",
    "old_path": "engine.txt",
    "new_line": 2,
}
thread = review.discussions.create({"body": "Better:\n```suggestion\ntwo\n```", "position": position})
question = review.discussions.create({"body": "Is that all?"})
seen["changes"] = [each["new_path"] for each in review.changes()["changes"]]
seen["commits"] = [each.title for each in review.commits()]
seen["blocked"] = for_ann.mergerequests.get(mr.iid).blocking_discussions_resolved

# Bob answers, applies the suggestion, and mends the build.
answered = mr.discussions.get(question.id)
answered.notes.create({"body": "Yes."})
suggestion = mr.discussions.get(thread.id).attributes["notes"][0]["suggestions"][0]
applied = bob.http_put(f"/suggestions/{suggestion['id']}/apply", post_data={"commit_message": "Mend the engine"})
seen["applied"] = applied["applied"]
until(
    lambda: for_ann.mergerequests.get(mr.iid),
    lambda each: len(list(each.commits())) == 2 and each.detailed_merge_status != "checking",
    "the new version",
)
seen["versions"] = len(review.diffs.list(get_all=True))
seen["threads"] = [each["notes"][0].get("resolved") for each in map(lambda d: d.attributes, mr.discussions.list(get_all=True)) if not each["individual_note"]]

# Ann approves and has it merged when the pipeline passes.
discussion = review.discussions.get(question.id)
discussion.resolved = True
discussion.save()
review.approve()
seen["approved"] = [each["user"]["username"] for each in review.approvals.get().approved_by]
review = for_ann.mergerequests.get(mr.iid)
review.merge(merge_when_pipeline_succeeds=True, should_remove_source_branch=True)
merged = until(
    lambda: for_ann.mergerequests.get(mr.iid), lambda each: each.state == "merged", "the merge"
)
seen["merged"] = [merged.merged_by["username"], merged.merge_commit_sha is not None]

# What follows: the issue is closed, the branch is gone, nothing is left to do.
seen["issue"] = [for_ann.issues.get(issue.iid).state, [each["iid"] for each in for_ann.issues.get(issue.iid).closed_by()]]
branches = lambda: [each.name for each in bob.projects.get(fork.id).branches.list(get_all=True)]
seen["branches"] = until(branches, lambda names: "steady" not in names, "the deleted branch")
seen["todos"] = [each.action_name for each in ann.todos.list(get_all=True)]
seen["file"] = for_ann.files.raw("engine.txt", ref="main").decode()

# The release of the milestone names what was done.
done = for_ann.mergerequests.list(state="merged", get_all=True)
notes = "\n".join(f"- {each.title} (!{each.iid})" for each in done)
milestone.state_event = "close"
milestone.save()
release = for_ann.releases.create(
    {"tag_name": "v1.1", "ref": "main", "description": notes, "milestones": ["v1.1"]}
)
seen["release"] = [release.description, [each["title"] for each in release.milestones]]
seen["events"] = sorted({each.action_name for each in for_ann.events.list(get_all=True)})
answer(seen)
