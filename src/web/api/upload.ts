import { boot } from './boot.js'
import { refusalOf, RequestError } from './client.js'

/**
 * Sends a form with files, and reports how much is sent; `fetch` cannot do that.
 * @param path below the prefix of the API
 * @param onProgress receives the share that is sent, from 0 to 1
 * @throws {RequestError} for a response that is no success, and without a response
 */
export function upload<Data>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Data> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', `/api/v4${path}`)
    sending.setRequestHeader('accept', 'application/json')
    if (boot.csrf_token) sending.setRequestHeader('x-csrf-token', boot.csrf_token)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    sending.onload = () => {
      const { status, responseText, statusText } = sending
      if (status >= 200 && status < 300) {
        resolve(JSON.parse(responseText) as Data)
        return
      }
      reject(
        refusalOf({
          status,
          statusText,
          text: responseText,
          header: (name) => sending.getResponseHeader(name),
        }),
      )
    }
    sending.onerror = () => {
      reject(new RequestError('The server cannot be reached', 0, undefined, undefined, undefined))
    }
    sending.onabort = () => {
      reject(new RequestError('The upload was canceled', 0, undefined, undefined, undefined))
    }
    signal.addEventListener('abort', () => sending.abort())
    sending.send(form)
  })
}
