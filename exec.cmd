@rem What "exec" is to the shells of Unix; the scripts of package.json begin with it, and cmd looks here first.
@%*
