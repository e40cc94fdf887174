import io
import zipfile

from client import answer, as_job, refusal, start

given = start()
gl = as_job(given["token"])


def of_library(project):
    """What a job does with the artifacts and releases of another project."""
    archive = project.jobs.get(given["job"], lazy=True).artifacts()
    return {
        "files": zipfile.ZipFile(io.BytesIO(archive)).namelist(),
        "file": project.artifacts.raw(ref_name="main", artifact_path="dist/a.txt", job="build").decode(),
        "releases": [each.tag_name for each in project.releases.list(get_all=False)],
        "tags": [each.name for each in project.tags.list(get_all=False)],
    }


library = gl.projects.get(given["library"], lazy=True)
answer(
    {
        "library": of_library(library),
        "released": library.releases.create({"tag_name": "v1", "ref": "main", "description": "x"}).tag_name,
        "unlisted": refusal(lambda: gl.projects.get(given["unlisted"], lazy=True).releases.list(get_all=False)),
        "hidden": refusal(lambda: gl.projects.get(given["hidden"], lazy=True).releases.list(get_all=False)),
    }
)
