// Package recipes has the code of docs/recipes.md: each function that the page
// shows is here, and runs as a test.
package recipes
