import { SwitchyardError } from '../../../../lib/errors.js'

/** The project has another path now, and the caller may see it; git clients follow the redirect. */
export class ProjectRedirectError extends SwitchyardError {
  readonly name = 'ProjectRedirectError'
  readonly code = 'PROJECT_MOVED'

  constructor(readonly fullPath: string) {
    super(`The project was moved. Use ${fullPath} from now on.`)
  }
}
