import { invalid } from '../errors.js'
import type { PipelineContext } from '../plan.js'
import type { ConfigOrigin, ProjectCommit } from '../sources.js'
import { expandReferences, namesReferredTo } from '../variables/expand.js'
import { includeVariables } from '../variables/sets.js'
import { VariableCollection } from '../variables/variable-collection.js'

/** The variables and files that a file may reference during its includes (CI language, 4.2 and 4.3). */
export class FileContext {
  constructor(
    /** The commit of its local files; absent = none. */
    readonly commit: ProjectCommit | undefined,
    readonly variables: VariableCollection,
    /** Name or address of this server, for the paths of components. */
    readonly host: string | undefined,
    private readonly masked: ReadonlySet<string>,
    /** Whether artifacts of the parent pipeline may be included. */
    readonly mayIncludeArtifacts: boolean,
  ) {}

  static of(context: PipelineContext, origin: ConfigOrigin | undefined): FileContext {
    const variables = includeVariables(context)
    const { settings, pipeline } = context.variables
    const masked = [...settings, ...pipeline].filter((variable) => variable.masked)
    return new FileContext(
      origin?.commit,
      variables,
      variables.get('CI_SERVER_FQDN') ?? variables.get('CI_SERVER_HOST'),
      new Set(masked.map(({ key }) => key)),
      origin?.mayIncludeArtifacts ?? false,
    )
  }

  /** For a file of another commit, with the same variables. */
  inCommit(commit: ProjectCommit): FileContext {
    return new FileContext(commit, this.variables, this.host, this.masked, false)
  }

  /** For a file without a location: no local files and no variables. */
  detached(): FileContext {
    return new FileContext(undefined, VariableCollection.of(), this.host, this.masked, false)
  }

  /** Expands one level; undefined variables become empty. */
  expand(text: string): string {
    return expandReferences(text, (name) => this.variables.get(name), 'empty')
  }

  /**
   * For `expand_vars` in a block: keeps undefined variables and does not disclose masked values (CI language,
   * 5.3).
   */
  expandForInput(text: string): string {
    if (namesReferredTo(text).some((name) => this.masked.has(name))) {
      throw invalid('variable expansion error: masked variables cannot be expanded')
    }
    return expandReferences(text, (name) => this.variables.get(name), 'keep')
  }
}
