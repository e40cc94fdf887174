import type { HostConfig } from 'dockerode'

import { globMatcher } from '../../../../lib/glob.js'
import type { ServiceSettings } from './settings.js'

/** What a service may use of the machine (runner protocol, 9.4); what the settings do not say is the engine's choice. */
export function serviceLimits(settings: ServiceSettings, image: string): HostConfig {
  const limits: HostConfig = {
    ...present('Memory', settings.serviceMemory),
    ...present('MemorySwap', settings.serviceMemorySwap),
    ...present('MemoryReservation', settings.serviceMemoryReservation),
    ...present('NanoCpus', Math.round((settings.serviceCpus ?? 0) * 1e9)),
    ...present('CpusetCpus', settings.serviceCpusetCpus),
    ...present('CpuShares', settings.serviceCpuShares),
    ...present('CgroupParent', settings.serviceCgroupParent),
    ...(settings.serviceGpus ? { DeviceRequests: [settings.serviceGpus] } : {}),
  }
  const devices = (settings.servicesDevices ?? []).filter(({ images }) => globMatcher(images)(image))
  return devices.length > 0 ? { ...limits, Devices: devices.flatMap((each) => each.devices) } : limits
}

function present(key: keyof HostConfig, value: string | number | undefined): HostConfig {
  return value === undefined || value === '' || value === 0 ? {} : { [key]: value }
}
