import type { Tool } from '../tool.js'
import { codeTools } from './code.js'
import { jobTools } from './jobs.js'
import { pipelineTools } from './pipelines.js'

/** All tools, in the order in which programs see them. */
export const TOOLS: readonly Tool[] = [...pipelineTools, ...jobTools, ...codeTools]
