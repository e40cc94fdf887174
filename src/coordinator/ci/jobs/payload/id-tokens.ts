import { randomUUID } from 'node:crypto'

import { tierOf } from '../../../../ci-config/environment-tier.js'
import { expandReferences } from '../../../../ci-config/variables/expand.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { TokenSigner } from '../../../crypto/token-signer.js'
import { configRefUri, fullRefName } from '../../predefined-variables/event-variables.js'
import type { PayloadFacts } from './payload-facts.js'

/** Seconds, for a job without a timeout. */
const DEFAULT_LIFETIME = 300
/** Seconds by which clocks may differ. */
const CLOCK_SKEW = 5
/** Characters that references in one audience are replaced by at most. */
const MAX_AUDIENCE = 4096

type TokenFacts = Pick<PayloadFacts, 'server' | 'job' | 'pipeline' | 'project' | 'user' | 'runner'>

export interface IdTokenFacts extends TokenFacts {
  isEnvironmentProtected: boolean
}

/**
 * Returns the masked variables that contain the id tokens of a job (CI language, 3.17). `variables` are the
 * other variables of the job, which audiences may reference.
 */
export async function idTokenVariables(
  signer: Pick<TokenSigner, 'sign'>,
  facts: IdTokenFacts,
  variables: readonly JobVariable[],
): Promise<JobVariable[]> {
  const wanted = Object.entries(facts.job.options.idTokens ?? {})
  const values = new Map(variables.map(({ key, value }) => [key, value]))
  const now = Math.floor(Date.now() / 1000)
  return Promise.all(
    wanted.map(async ([key, { aud }]) => {
      const audiences = aud.map((audience) => expandAudience(audience, values))
      const value = await signer.sign({ ...idTokenClaims(facts, now), aud: oneOrMany(audiences) })
      return { key, value, public: false, masked: true }
    }),
  )
}

/** All claims but `iss` and `aud`; `now` in seconds since 1970. Ids are texts, as the reference has them. */
export function idTokenClaims(facts: IdTokenFacts, now: number): Record<string, string | number> {
  const { job } = facts
  return {
    sub: subjectOf(facts),
    iat: now,
    nbf: now - CLOCK_SKEW,
    exp: now + (job.timeout ?? DEFAULT_LIFETIME),
    jti: randomUUID(),
    ...claimsOfProject(facts),
    ...claimsOfJob(facts),
    ...claimsOfEnvironment(facts),
  }
}

function subjectOf({ project, pipeline }: IdTokenFacts): string {
  return `project_path:${project.full_path}:ref_type:${refTypeOf(pipeline)}:ref:${pipeline.ref}`
}

function claimsOfProject({ project }: IdTokenFacts) {
  return {
    namespace_id: String(project.namespace_id),
    namespace_path: project.full_path.slice(0, -project.path.length - 1),
    project_id: String(project.id),
    project_path: project.full_path,
    project_visibility: project.visibility,
  }
}

function claimsOfJob({ server, project, pipeline, job, user, runner }: IdTokenFacts) {
  const refType = refTypeOf(pipeline)
  return {
    user_id: String(user.id),
    user_login: user.username,
    user_email: user.email,
    pipeline_id: String(pipeline.id),
    pipeline_source: pipeline.source,
    job_id: String(job.id),
    ref: pipeline.ref,
    ref_type: refType,
    ref_path: fullRefName({ ref: pipeline.ref, refType }),
    ref_protected: String(job.protected),
    runner_id: runner.id,
    runner_environment: 'self-hosted',
    sha: pipeline.sha,
    ci_config_ref_uri: configRefUri({ server, project, ref: pipeline.ref, refType }),
    ci_config_sha: pipeline.sha,
  }
}

function claimsOfEnvironment({ job, isEnvironmentProtected }: IdTokenFacts): Record<string, string> {
  const { environment } = job.options
  if (!environment) return {}
  return {
    environment: environment.name,
    environment_protected: String(isEnvironmentProtected),
    environment_action: environment.action,
    deployment_tier: environment.tier ?? tierOf(environment.name),
  }
}

/**
 * Truncates an audience that expands beyond the limit. A service that expects another audience refuses the
 * token.
 */
function expandAudience(audience: string, values: ReadonlyMap<string, string>): string {
  let left = MAX_AUDIENCE
  return expandReferences(
    audience,
    (name) => {
      const value = values.get(name) ?? ''
      left -= value.length
      return left < 0 ? undefined : value
    },
    'empty',
  )
}

function oneOrMany(audiences: string[]): string | string[] {
  const [only, ...more] = audiences
  return only !== undefined && more.length === 0 ? only : audiences
}

function refTypeOf({ tag }: IdTokenFacts['pipeline']): 'branch' | 'tag' {
  return tag ? 'tag' : 'branch'
}
