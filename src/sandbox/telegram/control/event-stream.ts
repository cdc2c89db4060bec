import type { ServerResponse } from 'node:http'
import type { ChatEvent } from './control.ts'

/**
 * Sends changes in the chats to the open pages. They are server-sent events, each named after the type of the
 * change.
 */
export class EventStreams {
  #streams = new Set<ServerResponse>()

  open(response: ServerResponse, headers: Record<string, string>): void {
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    })
    response.write(': connected\n\n')
    this.#streams.add(response)
    response.once('close', () => this.#streams.delete(response))
  }

  send(event: ChatEvent): void {
    if (this.#streams.size === 0) return
    const frame = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    for (const stream of this.#streams) stream.write(frame)
  }

  close(): void {
    for (const stream of this.#streams) stream.end()
  }
}
