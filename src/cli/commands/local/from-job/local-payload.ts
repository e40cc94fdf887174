import type { JobReproduction } from '../../../../coordinator/ci/jobs/reproduction/schema.js'
import { newToken } from '../../../../lib/tokens.js'
import type { JobImage, JobPayload, JobVariable } from '../../../../protocol/job-payload.js'
import { expandText, valuesOf } from '../../../../runner/variables/job-variables.js'

interface LocalPayload {
  payload: JobPayload
  /** Sentences about images whose digest is not known. */
  remarks: string[]
}

/**
 * The payload for a run on this machine: images by the digests that the job used, caches that are not saved, and nothing
 * that needs the server.
 */
export function localPayload(
  { payload, images }: Pick<JobReproduction, 'payload' | 'images'>,
  variables: JobVariable[],
): LocalPayload {
  const values = valuesOf(variables)
  const remarks: string[] = []
  const findUsed = (image: JobImage) => {
    const name = expandText(image.name, values)
    return images.find((one) => [name, `${name}:latest`].includes(one.name))
  }
  const pinned = <I extends JobImage>(image: I): I => {
    const name = expandText(image.name, values)
    if (name.includes('@sha256:')) return image
    const digest = findUsed(image)?.digest
    if (digest) return { ...image, name: digest }
    remarks.push(`The digest of the image ${name} is not known: the one that has this name now is used`)
    return image
  }
  const ofServices = new Set((payload.services ?? []).map(findUsed))
  // Without an image of its own, the job got that of its runner.
  const ofRunner = images.find((image) => !ofServices.has(image))?.name
  const image = payload.image ?? (ofRunner === undefined ? undefined : { name: ofRunner })
  const written = payload.image ? [{ key: 'CI_JOB_IMAGE', value: payload.image.name, public: true }] : []
  const { lease_seconds: _lease, ...features } = payload.features ?? {}
  const token = newToken()
  return {
    payload: {
      ...payload,
      token,
      variables: [...written, ...variables],
      ...(image && { image: pinned(image) }),
      ...(payload.services && { services: payload.services.map(pinned) }),
      ...(payload.cache && { cache: payload.cache.map((cache) => ({ ...cache, policy: 'pull' })) }),
      ...(payload.steps && { steps: payload.steps.filter(({ release }) => !release) }),
      ...(payload.dependencies && { dependencies: payload.dependencies.map((one) => ({ ...one, token })) }),
      features: {
        ...features,
        resumable_uploads: false,
        script_steps: false,
        job_holds: false,
      },
    },
    remarks,
  }
}
