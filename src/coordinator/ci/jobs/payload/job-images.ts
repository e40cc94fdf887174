import type { PlannedImage, PlannedService } from '../../../../ci-config/plan.js'
import type { JobImage, JobService } from '../../../../protocol/job-payload.js'

/** Every key is present, with null for absent values (runner protocol, 2.9). */
export function jobImage(image: PlannedImage): JobImage {
  return {
    name: image.name,
    entrypoint: image.entrypoint ?? null,
    ports: [],
    executor_opts: {
      ...(image.docker && { docker: image.docker }),
      ...(image.kubernetes && { kubernetes: image.kubernetes }),
    },
    pull_policy: image.pullPolicy ?? null,
  }
}

export function jobService(service: PlannedService): JobService {
  return {
    ...jobImage(service),
    alias: service.alias ?? null,
    command: service.command ?? null,
    variables: (service.variables ?? []).map(({ key, value, raw }) => ({
      key,
      value,
      public: true,
      ...(raw && { raw }),
    })),
  }
}
