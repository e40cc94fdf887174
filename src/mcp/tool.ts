import { type Static, type TObject, type TProperties, Type } from 'typebox'

import type { Api, Route } from './api.js'

/** What a program can call, with a name and a schema of its arguments (MCP, Tools). */
export interface Tool {
  name: string
  title: string
  description: string
  /** Whether a call changes something. */
  changes: boolean
  input: TObject
  /** All operations that it may call. A token with the scope `mcp` permits these, and no others. */
  routes: readonly Route[]
  /**
   * Returns data, for JSON, or text.
   * @throws ToolError
   */
  run: (api: Api, input: never) => Promise<unknown>
}

interface Declaration<P extends TProperties> extends Omit<Tool, 'input' | 'run' | 'changes'> {
  changes?: true
  input: P
  run: (api: Api, input: Static<TObject<P>>) => Promise<unknown>
}

/** Declares a tool, with the types of its arguments. */
export function tool<P extends TProperties>({ input, changes, run, ...rest }: Declaration<P>): Tool {
  return {
    ...rest,
    changes: changes === true,
    input: Type.Object(input, { additionalProperties: false }),
    run: (api, given) => run(api, given),
  }
}

export const Project = Type.String({
  minLength: 1,
  description: 'Full path of the project, such as group/app, or its ID.',
})
export const PipelineId = Type.Integer({ minimum: 1, description: 'ID of the pipeline.' })
export const JobId = Type.Integer({ minimum: 1, description: 'ID of the job.' })
