//! The policy of workload A.

/// Its text.
pub const TABLE: &str = "policy workload-a
version 1
fact code : rejected, overloaded, connect_failed, timeout, provider_failure, unknown_policy, stale, bad_output, other, quiet
fact class : immutable_read, read, computational, consequential_write, proposed
fact sent : not_sent, maybe_sent, was_sent
fact keyed : yes, no
fact tools_off : yes, no
fact may_vary : yes, no
fact hinted : yes, no
fact left : duration
fact tries : count
fact harm : low < medium < high < critical
table t, first row wins
| row            | code             | class                | sent     | keyed | tools_off | may_vary | hinted | left     | tries | harm      | => action |
| permanent      | rejected         | -                    | -        | -     | -         | -        | -      | -        | -     | -         | stop |
| overload       | overloaded       | immutable_read, read | -        | -     | -         | -        | yes    | >= 500ms | >= 1  | -         | review retry |
| overload-keyed | overloaded       | -                    | -        | yes   | -         | -        | yes    | >= 500ms | >= 1  | -         | review retry |
| unsent         | connect_failed   | -                    | not_sent | -     | -         | -        | -      | -        | >= 1  | -         | review retry |
| unsent-keyed   | connect_failed   | -                    | -        | yes   | -         | -        | -      | -        | >= 1  | -         | review retry |
| reading        | timeout          | immutable_read       | -        | -     | -         | -        | -      | >= 200ms | >= 1  | -         | review retry |
| drafting       | timeout          | computational        | -        | -     | yes       | yes      | -      | -        | >= 1  | -         | review failover |
| writing        | timeout          | consequential_write  | -        | -     | -         | -        | -      | -        | -     | -         | review reconcile |
| provider       | provider_failure | proposed             | -        | -     | -         | -        | -      | -        | -     | low..high | review failover |
| seen           | unknown_policy, stale, bad_output | -   | -        | -     | -         | -        | -      | -        | -     | -         | review person |
| rest           | -                | -                    | -        | -     | -         | -        | -      | -        | -     | -         | stop |
";
