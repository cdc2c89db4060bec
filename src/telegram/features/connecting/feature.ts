import type { Answers, Feature } from '../feature.ts'
import { member } from '../guards/guards.ts'
import { answerSame, answerSwitch, connect, refuseFile, refuseForwarded, takeCredentials } from './connect.ts'
import { answerDisconnect, disconnect } from './disconnect.ts'

const credential = {
  secret: { forwarded: refuseForwarded, file: refuseFile },
  text: (ctx, services, { question, text }) => takeCredentials(ctx, services, question.what, text),
} satisfies Answers<{ what: 'key' } | { what: 'secret' }>

/** Connecting an account, changing its key, and leaving the account. */
export const connecting = {
  commands: {
    connect: { run: connect, keepsQuestion: true },
    disconnect: { run: member(disconnect) },
  },
  presses: {
    connect: (ctx, services) => connect(ctx, services),
    switch: (ctx, services, { sure, untilMs }) => answerSwitch(ctx, services, sure, new Date(untilMs)),
    replace_key: (ctx, services, { untilMs }) => answerSame(ctx, services, new Date(untilMs)),
    disconnect: (ctx, services, { accountId, when }) => answerDisconnect(ctx, services, accountId, when),
  },
  questions: { key: credential, secret: credential },
} satisfies Feature
