import { defineEndpoint } from '../transport/request/endpoint.js';
import { type CaseInput, type ChannelInput, inChannel, recordId } from './common.js';
import { Message } from './models/index.js';
import { anyList, done } from './responses.js';

/** Input that identifies a case's message in a channel. */
export interface MessageInput extends CaseInput, ChannelInput {}

export const listMessages = defineEndpoint<CaseInput>('GET /case/{case_id}/messages')({
  operation: 'cases.listMessages',
  input: { case_id: recordId },
  response: anyList(Message, 'messages'),
});

const message = { case_id: recordId, ...inChannel };

export const addMessage = defineEndpoint<MessageInput>('POST /case/{case_id}/messages/add')({
  operation: 'cases.addMessage',
  input: message,
  encoding: 'form',
  response: done,
});

export const removeMessage = defineEndpoint<MessageInput>('POST /case/{case_id}/messages/remove')({
  operation: 'cases.removeMessage',
  input: message,
  encoding: 'form',
  response: done,
});
