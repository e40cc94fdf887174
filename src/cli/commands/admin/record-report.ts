import { messageOf } from '../../../lib/errors.js'

/** Records what a command did. The command has done its work already, so it only reports a failure to record that. */
export async function recordReport(record: () => Promise<void>): Promise<void> {
  try {
    await record()
  } catch (error) {
    console.error(`switchyard: the page about backups will not show this: ${messageOf(error)}`)
  }
}
