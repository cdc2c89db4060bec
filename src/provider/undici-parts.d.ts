/** Files of undici that are loaded without its index. Its types name what they export. */

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'

  export default buildConnector
}

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'

  export default Agent
}

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'

  export default Client
}
