import io
import time
import zipfile

from client import answer, as_user, refusal, start

CI_FILE = """
stages: [build, test, deploy]
compile:
  stage: build
  script: [mkdir dist, 'echo "$GREETING, $KEY" > dist/out.txt', cat dist/out.txt]
  artifacts: { paths: [dist/] }
check:
  stage: test
  script: ['grep "^$EXPECTED," dist/out.txt']
ship:
  stage: deploy
  script: [echo shipping]
  environment: { name: staging, url: "https://staging.example.com", on_stop: halt }
halt:
  stage: deploy
  when: manual
  script: [echo halting]
  environment: { name: staging, action: stop }
"""
FINAL = ("success", "failed", "canceled", "skipped", "manual")


def until(read, is_so):
    """As scripts of users wait: there is no other way for a client."""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        record = read()
        if is_so(record):
            return record
        time.sleep(0.2)
    raise AssertionError(f"still {record.attributes}")


def ended(project, pipeline_id, states=FINAL):
    return until(lambda: project.pipelines.get(pipeline_id), lambda each: each.status in states)


def jobs_of(pipeline):
    return {job.name: job for job in pipeline.jobs.list(get_all=True)}


given = start()

# The administrator makes an account.
root = as_user(given["token"])
account = root.users.create(
    {
        "username": "dora",
        "name": "Dora",
        "email": "dora@example.com",
        "force_random_password": True,
        "skip_confirmation": True,
    }
)
token = account.personal_access_tokens.create({"name": "day", "scopes": ["api"]}).token

# She logs in, makes a project, and puts files into it.
gl = as_user(token)
gl.auth()
project = gl.projects.create({"name": "day", "initialize_with_readme": True})
readme = project.files.get("README.md", ref="main")
readme.content = "# Day\n"
readme.save(branch="main", commit_message="Say what it is [ci skip]")
project.variables.create({"key": "GREETING", "value": "hello"})
project.variables.create({"key": "KEY", "value": "aVeryLongSecret", "masked": True, "protected": True})
expected = project.variables.create({"key": "EXPECTED", "value": "goodbye"})
project.protectedbranches.delete("main")
project.protectedbranches.create({"name": "main", "push_access_level": 40, "merge_access_level": 30})
project.hooks.create(
    {
        "url": given["receiver"],
        "token": "secret",
        "push_events": 1,
        "job_events": 1,
        "pipeline_events": 1,
        "deployment_events": 1,
        "releases_events": 1,
    }
)
project.commits.create(
    {
        "branch": "main",
        "commit_message": "Build it",
        "actions": [
            {"action": "create", "file_path": ".gitlab-ci.yml", "content": CI_FILE},
            {"action": "create", "file_path": "doc/a.txt", "content": "a\n"},
        ],
    }
)

# The push has started a pipeline. One job fails; she sees why, mends it, and retries.
pushed = project.pipelines.list(get_all=True)[0]
failed = ended(project, pushed.id)
jobs = jobs_of(failed)
failure = project.jobs.get(jobs["check"].id)
trace = project.jobs.get(jobs["compile"].id).trace().decode()
expected.value = "hello"
expected.save()
failure.retry()
mended = ended(project, pushed.id, ("success",))
jobs = jobs_of(mended)

# What the build has left.
compiled = project.jobs.get(jobs["compile"].id)
archive = zipfile.ZipFile(io.BytesIO(compiled.artifacts()))
by_ref = project.artifacts.raw(ref_name="main", artifact_path="dist/out.txt", job="compile").decode()

# Every night.
schedule = project.pipelineschedules.create({"description": "nightly", "ref": "main", "cron": "0 1 * * *"})
schedule.variables.create({"key": "GREETING", "value": "good night"})
project.pipelineschedules.get(schedule.id).play()
nightly = until(
    lambda: project.pipelineschedules.get(schedule.id), lambda each: each.attributes["last_pipeline"] is not None
).attributes["last_pipeline"]
nightly = ended(project, nightly["id"])
night_trace = project.jobs.get(jobs_of(nightly)["compile"].id).trace().decode()

# The environment is closed, which runs its job.
[environment] = project.environments.list(get_all=True)
deployed = project.environments.get(environment.id)
environment.stop()
stopped = until(lambda: project.environments.get(environment.id), lambda each: each.state == "stopped")
environment.delete()

release = project.releases.create(
    {
        "name": "First",
        "tag_name": "v1.0",
        "ref": "main",
        "description": "*It works*",
        "assets": {"links": [{"name": "out", "url": f"{compiled.web_url}/artifacts/file/dist/out.txt"}]},
    }
)

answer(
    {
        "me": gl.user.username,
        "protected": [each.name for each in project.protectedbranches.list(get_all=True)],
        "pushed": [pushed.source, failed.status, mended.status],
        "failure": [failure.status, failure.failure_reason],
        "trace": trace,
        "names": archive.namelist(),
        "out": [archive.read("dist/out.txt").decode(), by_ref],
        "nightly": [nightly.source, nightly.status],
        "night_trace": night_trace,
        "deployed": [deployed.state, deployed.external_url, deployed.last_deployment["status"]],
        "stopped": stopped.state,
        "gone": refusal(lambda: project.environments.get(environment.id))["status"],
        "release": [release.tag_name, release.name, [link["name"] for link in release.assets["links"]]],
        "tags": [tag.name for tag in project.tags.list(get_all=True)],
        "ran_on": compiled.runner["description"],
    }
)
