import { parentPort } from 'node:worker_threads'
import { noticed } from './mutations.ts'
import { simulate } from './simulation.ts'
import type { Question } from './thread.ts'

const answer = async (question: Question): Promise<void> => {
  const said =
    question.kind === 'run' ? simulate(question.run) : noticed(question.safeguard, question.judgedAlone)
  parentPort?.postMessage(await said)
}

// An error ends the thread, and its caller gets the error.
parentPort?.on('message', (question: Question) => void answer(question))
