import { ApiError } from '../../http/errors.js'
import { renderPayloadTemplate } from './deliveries/render-template.js'

/** Throws 422 for a template that would not produce JSON. */
export function checkTemplate(template: string): void {
  if (renderPayloadTemplate(template, {}) !== undefined) return
  throw new ApiError('hook_invalid', { message: { custom_webhook_template: ['must be valid JSON'] } })
}
