import { basename } from 'node:path'

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that run first within a project, so that none of them is the last, with nothing beside it. */
const LONG =
  /^(killed-|stopped-|up\.|local\.|real-coordinator\.|hostile-files\.|services\.|container-settings\.|resources\.|pipelines\.system|remote-engine\.|day\.|demo\.nightly|every-page\.|backup\.nightly|image\.nightly|random-kills\.)/

/** Groups the files by project, so that processes are reused, and runs the long ones first. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): string =>
      `${project.name} ${LONG.test(basename(moduleId)) ? 0 : 1}`
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one).localeCompare(rank(other)))
  }
}
