from client import answer, as_job, as_user, refusal, start

given = start()
gl = as_user(given["token"])
project = gl.projects.get(given["project"])

# Pipelines
pipeline = project.pipelines.create(
    {"ref": "main", "variables": [{"key": "A", "value": "b"}, {"key": "F", "value": "x", "variable_type": "file"}]}
)
listed = [each.id for each in project.pipelines.list(iterator=True, per_page=1)]
variables = [each.attributes for each in pipeline.variables.list()]
canceled = pipeline.cancel()
retried = pipeline.retry()
report = pipeline.test_report.get().total_count

# Jobs of the first pipeline, whose build has succeeded
first = project.pipelines.get(given["pipeline"])
jobs = {job.name: job for job in first.jobs.list(iterator=True, per_page=1)}
scoped = [job.name for job in first.jobs.list(get_all=True, scope=["success", "manual"])]
of_project = [job.name for job in project.jobs.list(iterator=True, per_page=2, scope="success")]
build = project.jobs.get(jobs["build"].id)
trace = build.trace().decode()
archive = build.artifacts()
file = build.artifact("dist/a.txt").decode()
by_ref = project.artifacts.download(ref_name="main", job="build")
raw_by_ref = project.artifacts.raw(ref_name="main", artifact_path="dist/a.txt", job="build").decode()
streamed = []
build.artifacts(streamed=True, action=lambda part: streamed.append(len(part)), chunk_size=16)
build.keep_artifacts()
kept = project.jobs.get(build.id).artifacts_expire_at
manual = project.jobs.get(jobs["ship"].id)
manual.play()
played = project.jobs.get(manual.id).status
manual.cancel()
again = project.jobs.get(manual.id).retry()
build.delete_artifacts()
without = refusal(lambda: build.artifacts())
build.erase()
erased = project.jobs.get(build.id)

answer(
    {
        "created": {key: getattr(pipeline, key) for key in ("ref", "source", "project_id", "status")},
        "listed": listed,
        "variables": variables,
        "canceled": canceled["status"],
        "retried": retried["status"],
        "report": report,
        "names": sorted(jobs),
        "scoped": sorted(scoped),
        "of_project": of_project,
        "build": {"status": build.status, "runner": build.runner["is_shared"], "pipeline": build.pipeline["id"]},
        "trace": trace,
        "archives": [len(archive), archive == by_ref, sum(streamed)],
        "files": [file, raw_by_ref],
        "kept": kept,
        "played": played,
        "again": {"is_new": again["id"] != manual.id, "name": again["name"]},
        "without": without,
        "erased": [erased.erased_at is not None, erased.attributes["artifacts"]],
        "unplayable": refusal(build.play),
        "not_erasable": refusal(build.erase),
        "no_pipeline": refusal(lambda: project.pipelines.get(999999)),
        "no_ref": refusal(lambda: project.pipelines.create({"ref": "none"})),
        "bad_scope": refusal(lambda: project.jobs.list(scope="odd")),
        "bad_path": refusal(lambda: build.artifact("dist/%2e%2e/a")),
        "deleted": [pipeline.delete(), refusal(lambda: project.pipelines.get(pipeline.id))["status"]],
        "stranger": refusal(lambda: as_user(given["stranger"]).projects.get(project.id)),
        "void_job": refusal(lambda: as_job("glcbt-of-nobody").http_get("/job")),
    }
)
