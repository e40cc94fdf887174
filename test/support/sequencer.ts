import { basename } from 'node:path'

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What comes first within a project: these take minutes, most of which they wait. */
const LONG = /^(killed-|stopped-|up\.|local\.|real-coordinator\.)/

/** Keeps the files of a project together, whose processes are then used again, and starts the long ones first. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): string =>
      `${project.name} ${LONG.test(basename(moduleId)) ? 0 : 1}`
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one).localeCompare(rank(other)))
  }
}
