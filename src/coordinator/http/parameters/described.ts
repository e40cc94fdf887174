export { described } from '../../../protocol/described.js'
