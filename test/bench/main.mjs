// Every figure is a ratio to something measured in the same run, so that it says something on any machine.
import { benchAnonymous } from './anonymous.mjs'
import { benchArtifact } from './artifact.mjs'
import { makeBenchImage } from './bench-image.mjs'
import { benchClaim } from './claim.mjs'
import { benchCompile } from './compile.mjs'
import { benchCreatePipeline } from './create-pipeline.mjs'
import { benchDay } from './day.mjs'
import { benchFleet } from './fleet.mjs'
import { benchGitUnderLoad } from './git-under-load.mjs'
import { benchIdleCoordinator } from './idle-coordinator.mjs'
import { benchIdleRequests } from './idle-requests.mjs'
import { benchIdleRunner, benchRestingRunner } from './idle-runner.mjs'
import { startInstallation } from './installation.mjs'
import {
  benchContainersAtOnce,
  benchJob,
  benchJobsAtOnce,
  benchJobsAtOnceWithoutSources,
  benchJobWithSources,
} from './job.mjs'
import { benchLifecycle } from './lifecycle.mjs'
import { benchLine } from './line.mjs'
import { benchListPages } from './list-pages.mjs'
import { benchLive } from './live.mjs'
import { benchLogPages } from './log-pages.mjs'
import { benchLog } from './log.mjs'
import { benchManyFiles } from './many-files.mjs'
import { benchMask } from './mask.mjs'
import { benchPages } from './pages.mjs'
import { benchPipelineSize } from './pipeline-size.mjs'
import { benchPods } from './pods.mjs'
import { benchPush } from './push.mjs'
import { benchReadProject } from './read-project.mjs'
import { benchReferenceRunners } from './reference-runners.mjs'
import { benchReportProgress } from './report-progress.mjs'
import { benchSeveralCoordinators } from './several-coordinators.mjs'
import { benchSignedIn } from './signed-in.mjs'
import { benchSmallArchives } from './small-archives.mjs'
import { benchSources } from './sources.mjs'
import { formatTable } from './table.mjs'
import { benchWaitingRunners } from './waiting-runners.mjs'

/** @typedef {{ name: string, ours: string, theirs: string, baseline: string, ratio: number, target?: string }} Figure */

// The idle runner first: it is then one that has had no job yet, and last again, after all of them.
const benchmarks = [
  benchIdleRunner,
  benchIdleCoordinator,
  benchJob,
  benchJobWithSources,
  benchJobsAtOnce,
  benchJobsAtOnceWithoutSources,
  benchContainersAtOnce,
  benchPods,
  benchSources,
  benchFleet,
  benchIdleRequests,
  benchAnonymous,
  benchSignedIn,
  benchReadProject,
  benchPush,
  benchGitUnderLoad,
  benchReportProgress,
  benchLifecycle,
  benchPipelineSize,
  benchReferenceRunners,
  benchSeveralCoordinators,
  benchDay,
  benchLine,
  benchLive,
  benchLog,
  benchLogPages,
  benchMask,
  benchCompile,
  benchCreatePipeline,
  benchClaim,
  benchListPages,
  benchPages,
  benchWaitingRunners,
  benchArtifact,
  benchManyFiles,
  benchSmallArchives,
  benchRestingRunner,
]

// Names of functions as arguments run those alone: `npm run bench -- benchClaim`.
const wanted = process.argv.slice(2)
const chosen = benchmarks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

await makeBenchImage()
const installation = await startInstallation()
try {
  /** @type {Figure[]} */
  const figures = []
  for (const benchmark of chosen) {
    process.stderr.write(`${benchmark.name} …\n`)
    figures.push(...(await benchmark(installation)))
  }
  console.log(formatTable(figures))
} finally {
  await installation.stop()
}
