/** The tests of mounted workspaces once more, with volumes of the engine that are filled and drained. */
import './in-volumes.js'
import '../../security/file-reads/workspaces-of-the-runner.test.js'
import './lfs.test.js'
import './resume.test.js'
import './select-files.test.js'
import './sources.docker.test.js'
import './submodules/submodules.nightly.docker.test.js'
