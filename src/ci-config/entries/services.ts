import type { PlannedService } from '../plan.js'
import { isList, type Written } from '../yaml/config-value.js'
import { checkImage, imageMap, imageShape, plannedImage } from './image.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readScript } from './scripts.js'
import { readString, setItems } from './simple-values.js'
import { readPlainVariables } from './variables.js'

/** Containers that run beside that of the job; an empty list starts none (CI language, 3.7). */
export const readServices: Reader<PlannedService[]> = (value, location) => {
  if (!isList(value)) return location.refuse('should be an array')
  const services = setItems(value).map((item) =>
    readService(item.value, location.item('service', item.position)),
  )
  return services.filter((service) => service !== null)
}

export const serviceShape = {
  attributes: { ...imageShape.attributes, alias: readString },
  children: { ...imageShape.children, command: readScript, variables: readPlainVariables },
  refused: imageShape.refused,
}

function readService(value: Written, location: Location): PlannedService | null {
  const written = imageMap(value)
  if (!written) return location.refuse('should be a hash or a string')
  const service = readMapEntry(serviceShape, written, location, checkImage)
  return (
    service && {
      ...plannedImage(service),
      ...(service.command && { command: service.command }),
      ...(service.alias !== undefined && { alias: service.alias }),
      ...(service.variables && { variables: service.variables }),
    }
  )
}
