// Package suggestion is a suggestion service of Katib that answers with the FM
// sampler.
//
// It keeps nothing between two requests. Each request carries the experiment and
// all its trials; from these a study is built in memory, in which the trials that
// are wanted are created one by one. What a later request needs to know besides
// its trials is sent to Katib's controller, which sends it back:
//
//   - the number of a trial, on which its random numbers depend, is part of the
//     name and a label that the service gives the trial;
//   - the last fit of the model, and suggestions that are not finished, whose
//     trials the controller may leave out, are an algorithm setting, fm.state.
//
// So a request has one answer, whichever process answers it.
package suggestion
