import { SwitchyardError } from '../../../../lib/errors.js'

/** The project lies elsewhere now, and the caller may know where: a git client goes on there by itself. */
export class ProjectRedirectError extends SwitchyardError {
  readonly name = 'ProjectRedirectError'
  readonly code = 'PROJECT_MOVED'

  constructor(readonly fullPath: string) {
    super(`The project was moved: use ${fullPath} from now on.`)
  }
}
