# become root by a setuid program
# held by: no_new_privs
[ "$(su root -c 'id -u' </dev/null)" = 0 ]
